// How things are called in the fleet: sessions of other nodes, and the subjects of NATS. A subject ends with the node that
// speaks, so that a server can hold each credential to its own name.

export const mailStream = 'SM_MAIL';
export const nodesBucket = 'sm_nodes';
export const sessionsBucket = 'sm_sessions';

export const mailSubject = (to: string, from: string): string => `sm.mail.${to}.${from}`;

export const callSubject = (to: string, from: string): string => `sm.call.${to}.${from}`;

/** Who speaks. */
export const speakerIn = (subject: string): string => subject.split('.')[3] ?? '';

export const abroad = (session: string, node: string): string => `${session}@${node}`;
