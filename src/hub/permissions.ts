// What each credential may say and hear, as the NATS server holds it to. Who speaks is in the subject.
interface Permissions {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
}

/** A node speaks as itself alone, and hears what is for it. The hub also removes what others have told, and welcomes who was invited. */
export function nodePermissions(node: string, isHub: boolean): Permissions {
  const whose = isHub ? '*' : node;
  const streams = ['SM_MAIL', 'KV_sm_nodes', 'KV_sm_sessions'];
  const buckets = ['KV_sm_nodes', 'KV_sm_sessions'];
  const publish = [
    `sm.mail.*.${node}`,
    `sm.call.*.${node}`,
    `$KV.sm_nodes.${whose}`,
    `$KV.sm_sessions.${whose}.>`,
    '_INBOX.>',
    '$JS.API.INFO',
    '$JS.FC.>',
    ...streams.flatMap((stream) => [`$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.INFO.${stream}`]),
    ...buckets.flatMap((stream) => [
      `$JS.API.CONSUMER.CREATE.${stream}.>`,
      `$JS.API.CONSUMER.INFO.${stream}.>`,
      `$JS.API.CONSUMER.DELETE.${stream}.>`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
      `$JS.ACK.${stream}.>`,
    ]),
    // Its own mail, by a consumer of its own name: the subject says what that may hear.
    `$JS.API.CONSUMER.CREATE.SM_MAIL.${node}.sm.mail.${node}.*`,
    `$JS.API.CONSUMER.INFO.SM_MAIL.${node}`,
    `$JS.API.CONSUMER.DELETE.SM_MAIL.${node}`,
    `$JS.API.CONSUMER.MSG.NEXT.SM_MAIL.${node}`,
    `$JS.ACK.SM_MAIL.${node}.>`,
  ];
  const subscribe = [`_INBOX.${node}.>`, `sm.call.${node}.*`, ...(isHub ? [joinSubject('*')] : [])];
  return { publish: { allow: publish }, subscribe: { allow: subscribe } };
}

/** Whoever was invited may ask for a place, by the name that he was invited as, and nothing else. */
export const joiningPermissions = (node: string): Permissions => ({
  publish: { allow: [joinSubject(node)] },
  subscribe: { allow: [`${joinInbox(node)}.>`] },
});

export const joinSubject = (node: string): string => `sm.join.${node}`;
/** Apart from that of the node. */
export const joinInbox = (node: string): string => `_INBOX.join.${node}`;
