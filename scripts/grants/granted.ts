import { basename, dirname } from "node:path";
import type { FunctionModel } from "../../local/template/functions.ts";
import { accountId, region } from "../../local/template/names.ts";

/** One action that functions of one bundle may do on one resource. */
export type Grant = {
  /** Folder in `functions/`. A family that streams is deployed twice from one bundle, with the same grants. */
  readonly bundle: string;
  readonly action: string;
  /** ARN, or a pattern of ARNs. */
  readonly resource: string;
};

export const bundleOf = ({ file }: Pick<FunctionModel, "file">): string => basename(dirname(file));

/** Every grant of every function, once for each bundle. */
export function grantsOf(functions: readonly FunctionModel[]): Grant[] {
  const all = functions.flatMap((fn) =>
    fn.statements
      .filter(({ effect }) => effect === "Allow")
      .flatMap(({ actions, resources }) =>
        actions.flatMap((action) =>
          resources.map((resource) => ({ bundle: bundleOf(fn), action, resource })),
        ),
      ),
  );
  const byText = new Map(all.map((grant) => [`${grant.bundle} ${grant.action} ${grant.resource}`, grant]));
  return [...byText.values()];
}

/** A resource's name without the common prefix: `Jobs`, `Jobs/index/by_status`, `objects/sessions/*`. */
export function shortName(resource: string): string {
  const own = resource
    .replace(/^arn:aws:[a-z0-9]+:[^:]*:[^:]*:/, "")
    .replace(/^(table|function|role|log-group)[/:]/, "")
    // What is in a log group.
    .replace(/:\*$/, "")
    .replace(/agent-platform-local-(data-)?/, "")
    .replaceAll(accountId, "account")
    .replaceAll(region, "region");
  // CloudFormation appends eight characters to names.
  return own.replace(/[0-9A-Fa-f]{8}(?=$|\/)/, "");
}
