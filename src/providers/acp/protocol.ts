// The part of the Agent Client Protocol that we speak, as its own package types it. Only types are taken from there: its
// connection lives in one process, and ours has to outlive that.
import type {
  InitializeRequest,
  LoadSessionRequest,
  McpServer,
  NewSessionRequest,
  PermissionOption,
  PromptRequest,
  RequestPermissionResponse,
  SessionUpdate,
  SetSessionConfigOptionRequest,
  StopReason,
} from '@agentclientprotocol/sdk';

export type {
  InitializeRequest,
  LoadSessionRequest,
  McpServer,
  NewSessionRequest,
  PermissionOption,
  PromptRequest,
  RequestPermissionResponse,
  SetSessionConfigOptionRequest,
  StopReason,
};

export const version = 1;

export type UpdateKind = SessionUpdate['sessionUpdate'];

/** What is asked of an agent. */
export type AgentMethod =
  | 'initialize'
  | 'session/new'
  | 'session/load'
  | 'session/prompt'
  | 'session/cancel'
  | 'session/close'
  | 'session/set_config_option'
  /** Nobody has this: whoever says so is there, and reads. */
  | '_sm/here';

/** What an agent may ask of us. */
export const permissionMethod = 'session/request_permission';
export const updateMethod = 'session/update';
