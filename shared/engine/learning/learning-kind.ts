import type * as v from "valibot";
import type { LearningBook } from "../ports/learning-book.ts";

/** In which book, and for whom, something is recorded. */
export type LearningContext = {
  readonly book: LearningBook;
  readonly user_id: string | null;
  readonly session_id: string;
  /** An idempotency key, globally unique: a second record under it changes nothing. */
  readonly key: string;
};

type Arguments = Record<string, unknown>;

/** One kind of learning: what a model may record of it, and how that is stored. */
export type LearningKind = {
  /** Name of the tool that a model calls during a run. */
  readonly tool: string;
  readonly description: string;
  readonly parameters: v.GenericSchema<Arguments, Arguments>;
  /** @returns the result for the model @throws Error with a text for the model */
  readonly record: (args: Arguments, context: LearningContext) => Promise<string>;
};

type Declared<S extends v.GenericSchema<Arguments, Arguments>> = Omit<
  LearningKind,
  "parameters" | "record"
> & {
  readonly parameters: S;
  readonly record: (args: v.InferOutput<S>, context: LearningContext) => Promise<string>;
};

/** Declares a kind; `record` receives values of the declared shape. */
export function defineLearning<S extends v.GenericSchema<Arguments, Arguments>>(
  declared: Declared<S>,
): LearningKind {
  // Values are validated against `parameters` before they are recorded, which the types cannot express.
  return declared as unknown as LearningKind;
}
