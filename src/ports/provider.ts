// The provider port: one kind of agent. What is declared of it is its card; the rest is how to start it, hear it and
// read its screen.
import type { Fact, Reading } from '../domain/core/fact.ts';
import type { MidTurn } from '../domain/core/manners.ts';
import type { Session } from '../domain/core/session.ts';
import type { ToldCall } from '../domain/policy/call.ts';
import type { DriverDeps, ListeningDriver } from './driver.ts';
import type { Key, Screen } from './terminal.ts';

export interface Provider extends Card {
  /** Where its program is, or what to do about it. `path` is the PATH that the agent will have. */
  locate(path: string): Promise<Located>;
  /** What to start; writes the per-session files that the program needs. */
  plan(session: Session, launch: LaunchRequest): Promise<LaunchPlan>;
  /** Whether the session's present conversation can be taken up again: an agent that was killed early kept none. */
  canResume(session: Session): Promise<boolean>;
  /** What a hook's JSON says, in our words. Unknown events say nothing. */
  hookFacts(hook: HookInput): Fact[];
  /** What its hook prints to answer the question that it was called with. */
  hookAnswer(answer: { readonly decision: 'allow' | 'deny'; readonly text: string | null }): string;
  /** For one whose hook can give it something to read when it starts, also after a compaction. */
  readonly startContext?: StartContext;
  /** For one whose hooks tell which calls it makes of its tools. */
  readonly calls?: CallHook;
  /** What its status line says. */
  statusFacts(status: HookInput): Fact[];
  /**
   * Reads the transcript of a conversation line by line. Null: it says nothing that is not told otherwise.
   */
  transcript(from: ReadingFrom): TranscriptReader | null;
  /** Which conversations its process has open, oldest first, where that can be seen before any hook tells. */
  conversations?(pid: number, session: Session): Promise<OpenConversations>;
  /** Its own record of conversations, also of those that are not ours. */
  readonly history?: History;
  readonly reach: InPane | ByDriver;
  /** For one whose card says so: what it has to see of its user's files in a sandbox. */
  readonly visible?: (session: Session, env: Environment) => Visible;
}

/** Of what is not there, nothing is shown. */
export interface Visible {
  /** Its configuration directory, in whose place it gets one of its own. */
  readonly config: string;
  readonly reads: readonly string[];
  /** Written through to the user's own: only what leads to no program. */
  readonly writes: readonly string[];
  /** A folder, in which all its transcripts are. */
  readonly transcripts: string;
  /** The user's files that its own begin as copies of, by the names that they get in its directory. */
  readonly copies: Readonly<Record<string, string>>;
  /** What tells it so. */
  readonly env: Readonly<Record<string, string>>;
}

/** `env`: that of whoever asks, which says whose record it is. */
export interface History {
  /** The files of all conversations, the newest first. Looks at names and times only: there may be thousands. */
  files(env: Environment): Promise<ConversationFile[]>;
  /** Reads only the beginning. Null: nothing that could be resumed. */
  head(file: ConversationFile): Promise<ConversationHead | null>;
  /** Which processes say, or hold, that they have one open; whether such a process still runs is not known yet. */
  open(env: Environment): Promise<OpenClaim[]>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConversationFile {
  readonly providerId: string;
  readonly path: string;
  readonly modifiedAt: number;
  readonly size: number;
}

export interface ConversationHead {
  readonly workingDir: string;
  readonly firstWords: string;
}

export interface OpenClaim {
  readonly providerId: string;
  /** Null: another machine's, or another container's. */
  readonly pid: number | null;
  /** Null: whatever process has this pid now. */
  readonly startedAt: string | null;
}

/** One that lives in a pane is looked at and typed to, as a human would. */
export interface InPane {
  readonly by: 'pane';
  read(screen: Screen): Reading & { text: string };
  /** A text as it is to be pasted, so that it stands in the composer as it is. */
  typed?(text: string): string;
}

/** One that has a protocol is spoken to and listened to by a driver of its own, whether it has a pane or not. */
export interface ByDriver {
  readonly by: 'driver';
  drive(deps: DriverDeps): ListeningDriver;
}

export interface StartContext {
  /** How many characters of it the agent reads. */
  readonly longest: number;
  /** What the hook prints. */
  print(text: string): string;
}

export interface CallHook {
  /** The call that the hook is about; null: none. */
  read(hook: HookInput): ToldCall | null;
  /** What the hook before a call prints to stop it; the agent is told the reason. */
  deny(reason: string): string;
}

export interface OpenConversations {
  readonly open: readonly OpenConversation[];
  /** Something changes in this folder when another one is opened; null while that is not known. */
  readonly folder: string | null;
}

export interface OpenConversation {
  readonly providerId: string;
  readonly transcriptPath: string | null;
}

export interface ReadingFrom {
  readonly providerId: string | null;
  /** The turn that ran where the reading begins. */
  readonly turnId: string | null;
  /** What was said before that time belongs to the conversation that this one is a copy of. */
  readonly since?: number | undefined;
}

export interface TranscriptReader {
  line(text: string): readonly Fact[];
  /** The turn that runs where the reading has come to. */
  readonly turnId: string | null;
  /** The last turn whose end it has read, where hooks may tell of that before the file does. */
  readonly endedTurn?: string | null;
}

/**
 * All that a provider declares of its agent. Plain data, for whoever only wants to know: the command line, the
 * configuration, the doctor, the documents.
 */
export interface Card {
  /** What it is called everywhere: `sm NAME`, HTTP, its folder, and with `_` its section in the configuration. */
  readonly name: string;
  /** Of one that the configuration names. */
  readonly configured?: Configured;
  /** In a sentence: start TITLE in a directory. */
  readonly title: string;
  /** Its program, unless the configuration names another. Null: it ships with sm, and takes only arguments. */
  readonly command: string | null;
  /** The version that the suites have run on, which the tests install; the doctor warns of others. */
  readonly tested: Tested | null;
  readonly capabilities: Capabilities;
  /** The keys of its composer; null: it has none. */
  readonly keys: Keys | null;
  /** The commands of its own by which its context is cleared, and compacted. */
  readonly commandTo: { readonly clear: string; readonly compact: string };
  /**
   * The variables, as patterns, that it sets for what it starts: another agent that inherited them would believe that it
   * runs inside of this one. Others of the same family are the user's own settings.
   */
  readonly variables: readonly string[];
  readonly options: TakenOptions;
  /** The kind of agent that can go on with its conversation: one of the two has a terminal. */
  readonly twin?: string;
  /** It can be started in a sandbox: what it needs to see there is known. */
  readonly sandbox?: true;
  /** Where it keeps its own configuration; each such directory is an account of its user. */
  readonly home?: OwnHome;
}

export interface Configured {
  /** The folder of its code. */
  readonly folder: string;
  /** Where it stands in the configuration. */
  readonly section: string;
  /** The agent whose ways it has, if that is known. */
  readonly like: string;
}

export interface OwnHome {
  /** Its name in the user's home directory, where `options.accountVariable` names no other. */
  readonly folder: string;
  /** The file in it that a login leaves behind. */
  readonly login: string;
}

/** Which options of a session it takes; of those that it does not, why, and what to do instead. */
export interface TakenOptions {
  readonly permissionModes: readonly string[];
  /** Null: it takes them. */
  readonly noAddDir: string | null;
  readonly noMcpConfig: string | null;
  /** Arguments with which the session would be another one, or could not be heard. */
  readonly ownArguments: readonly string[];
  /** The variable that names the directory of its account; null: none that is known. */
  readonly accountVariable: string | null;
}

export interface Keys {
  /** Empties a row; pressed again, joins it with the row above. */
  readonly erase: Key;
  /** Puts a draft aside, so that it comes back by itself. */
  readonly stash?: Key;
  /** Interrupts a turn, where Escape does not. An idle agent ends when it is pressed twice: so it is pressed once. */
  readonly interrupt?: Key;
}

export interface Tested {
  /** What npm installs it by. */
  readonly package: string;
  readonly version: string;
}

/** What a provider can do. Code asks these, and never goes by the name of a provider. */
export interface Capabilities {
  /** Lives in a pane that a human can attach to. */
  readonly pane: boolean;
  /** It is given text as a human gives it, by its composer. Otherwise nothing that stands there is ever touched. */
  readonly typed: boolean;
  /** It says itself what it costs; of others, only prices can tell. */
  readonly tellsCost: boolean;
  readonly resume: boolean;
  /** A conversation can be continued twice: another session begins with a copy of it. */
  readonly fork: boolean;
  /** Its conversations from elsewhere can be found, and taken over. */
  readonly adopt: boolean;
  readonly compact: boolean;
  readonly permissionDialog: boolean;
  /** Its question can be answered from afar, without its terminal. */
  readonly remoteAnswers: boolean;
  /** A question of its can be answered by a rule that allows the call; absent: yes. */
  readonly allows?: boolean;
  /** A call that a rule denies can be stopped also where the agent would not have asked. */
  readonly stops: boolean;
  /** A draft can be put aside and comes back by itself. */
  readonly stash: boolean;
  /** When it takes text during a turn without cutting what it says or does: `anytime`, only while a tool of its runs, or `never`. */
  readonly midTurn: MidTurn;
  /** A prompt that is interrupted before any answer comes back into its composer. */
  readonly returnsPrompt: boolean;
  /** It can be told to review a change: `sm review`. */
  readonly reviews: boolean;
  /** `estimated`: by its own reckoning, and not by what its model was given. */
  readonly usage: boolean | 'estimated';
  /** A context can be cleared and followed by another, with the clear proven: it can be handed over. */
  readonly handoff: boolean;
  /** Which commands of its own (`/…`) it takes; null: whatever its terminal takes. */
  readonly commands: readonly string[] | null;
  /** It names its conversations itself; otherwise they go by the id that we give. */
  readonly namesConversation: boolean;
  /** False: nothing tells that it has a prompt before its first words to it do. */
  readonly tellsPrompt?: boolean;
  /** False: an answer to its question is a yes or a no, and no words can go with it. */
  readonly takesWords?: boolean;
  /** False: a no to its question ends the turn. */
  readonly goesOnAfterNo?: boolean;
  /** False: it draws a text of a megabyte for minutes, and does nothing else meanwhile. */
  readonly longTexts?: boolean;
  /** False: it does not say which model it uses. */
  readonly tellsModel?: boolean;
}

/** What the daemon gives to each provider: what the configuration says of its agent, and where things are. */
export interface Setup {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly defaultModel: string | null;
  /** Where the hook programs are. */
  readonly hooksDir: string;
  /** Where the programs of sm are. */
  readonly dist: string;
  /** How long its question waits for an answer from afar; 0: not at all. */
  readonly answerWaitSeconds: number;
  /** Where a session's own files go. */
  readonly sessionDir: (session: Session) => string;
}

/** What `provider.ts` in the folder of a provider exports as `provide`. */
export type Provide = (setup: Setup, card: Card) => Provider;

/** `versionCommand`: the command line that prints its version. */
export type Located =
  | { readonly found: string; readonly versionCommand: readonly string[] }
  | { readonly missing: string };

export interface LaunchRequest {
  /** Null only for a provider that names its conversations. */
  readonly providerId: string | null;
  readonly resume: boolean;
  /** The conversation to begin with a copy of. */
  readonly fork?: string | undefined;
  /** The spawner's environment, cleaned. */
  readonly env: Readonly<Record<string, string>>;
  /** The session's own variables, which come before those of the configuration. */
  readonly own: Readonly<Record<string, string>>;
  /** For a session in a sandbox: the command line that runs that of the agent in it. */
  readonly confine?: ((argv: readonly string[]) => readonly string[]) | undefined;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where something will change when it opens its conversation. */
  readonly conversationsIn?: string;
}

export type HookInput = Readonly<Record<string, unknown>>;
