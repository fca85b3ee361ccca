// Browsers that were signed in. What is kept of each is enough to know it again, and no use to anybody who reads it.
export interface Device {
  readonly id: string;
  /** `Firefox on Linux` */
  readonly name: string;
  /** Of its two secrets. */
  readonly hash: string;
  readonly signedInAt: number;
  /** To the hour. */
  readonly seenAt: number;
  /** It may look at one session, until then, and do nothing. */
  readonly guest?: { readonly sessionId: string; readonly until: number };
  /** Where it is pushed to; absent: it has not asked. */
  readonly push?: Subscription;
  /** A link that nobody has opened. The hash is that of its one secret. */
  readonly isLink?: true;
}

/** As the browser gives it. */
export interface Subscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** Devices that can be pushed to. */
export interface PushDevices {
  subscribed(): readonly (Device & { readonly push: Subscription })[];
  unsubscribe(id: string): void;
}

export interface DeviceFile {
  read(): readonly Device[];
  /** On disk when it returns. */
  write(devices: readonly Device[]): void;
}
