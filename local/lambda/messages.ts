import type { AwsHttpRequest, AwsReply } from "../aws/aws-http.ts";
import type { Statement } from "../iam/policy.ts";

/**
 * What the host and a function's thread say to each other. Events and results travel as JSON text, as on AWS. Invocations
 * are numbered in the order in which a thread is given them (`claims.ts`).
 */
export type ToThread =
  | {
      readonly kind: "invoke";
      readonly id: number;
      readonly requestId: string;
      readonly event: string;
      readonly deadlineMs: number;
      /** Whether the caller takes the answer in pieces. */
      readonly streaming: boolean;
    }
  | { readonly kind: "timed-out"; readonly id: number }
  | { readonly kind: "aws-reply"; readonly id: number; readonly reply: AwsReply | undefined };

export type StreamHead = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
};

export type FunctionError = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: string[];
};

export type FromThread =
  | { readonly kind: "ready" }
  | { readonly kind: "not-ready"; readonly error: FunctionError }
  /** An invocation had been taken back while the thread was blocked. */
  | { readonly kind: "unblocked" }
  /** A call to AWS; its number has nothing to do with those of invocations. */
  | { readonly kind: "aws"; readonly id: number; readonly request: AwsHttpRequest }
  | { readonly kind: "head"; readonly id: number; readonly head: StreamHead }
  | { readonly kind: "chunk"; readonly id: number; readonly chunk: Uint8Array }
  /** The streamed answer is whole; the invocation may go on. */
  | { readonly kind: "end"; readonly id: number }
  | ({ readonly kind: "result"; readonly id: number; readonly payload: string } & Spent)
  | { readonly kind: "error"; readonly id: number; readonly error: FunctionError };

/** What one invocation took. */
export type Spent = {
  /** From the event's arrival in the thread to the result. */
  readonly ms: number;
  /** What the thread computed in that time, for the invocations beside this one as well. */
  readonly cpuMs: number;
  /** Calls to AWS that the thread's own gate let through, by `<service>:<operation>`. */
  readonly calls: Readonly<Record<string, number>>;
};

/** What a thread is started with. */
export type ThreadData = {
  readonly file: string;
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  /** What the function's role allows. */
  readonly statements: readonly Statement[];
  readonly aws: AwsAccess;
  /** Which of its invocations the thread has begun. */
  readonly claims: Int32Array;
  /** How many invocations it was given, where it is frozen while it has none; undefined where it is never. */
  readonly given: Int32Array | undefined;
  /** Folder for compiled code, shared by all threads and kept for the next start. */
  readonly compileCache: string;
};

/** How a thread reaches AWS. */
export type AwsAccess = {
  readonly dynamoEndpoint: string;
  readonly awsAddress: string;
  /** Its first number is not 0 while a test injects faults. */
  readonly watched: Int32Array;
  /** Folder for the record of used permissions; undefined where none was asked for. */
  readonly grantsRecord: string | undefined;
};
