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
  /** A link that nobody has opened. The hash is that of its one secret. */
  readonly isLink?: true;
}

export interface DeviceFile {
  read(): readonly Device[];
  /** On disk when it returns. */
  write(devices: readonly Device[]): void;
}
