import type { ErrorCode, Fault } from "../../../errors.ts";

/** What was built from a config. */
export type Built<T> = {
  /** Without the parts that its config names and that do not exist. */
  readonly value: T;
  /** What is wrong with the config, with texts for its author; with any fault the value must not run. */
  readonly faults: readonly Fault[];
};

/** A value that cannot be used. @param path  of the value in its config */
export const unusable = (path: string, message: string): Fault => ({
  path,
  message,
  error_code: "UNPROCESSABLE",
});

/** A name under which nothing is registered or stored. */
export const unknownName = (path: string, message: string): Fault => ({
  path,
  message,
  error_code: "NOT_FOUND",
});

/** The same fault as its author reads it from further up: with another path, or with what it is part of before it. */
export const faultWithin = (fault: Fault, within: string, path: string = fault.path): Fault => ({
  ...fault,
  path,
  message: `${within}: ${fault.message}`,
});

/** A result of a resolver that found nothing. */
export type Unresolved = { readonly error: string; readonly error_code: ErrorCode };

/** The faults of what could not be resolved. @param resolved  by the path of the value that names it */
export const faultsOf = (resolved: Readonly<Record<string, object>>): Fault[] =>
  Object.entries(resolved).flatMap(([path, one]) => {
    const { error, error_code } = one as Partial<Unresolved>;
    return error === undefined ? [] : [{ path, message: error, error_code: error_code ?? "UNPROCESSABLE" }];
  });
