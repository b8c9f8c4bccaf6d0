/** The parts of a synthesized stack that the local platform reads. */
export type Stack = {
  readonly name: string;
  /** Base folder of relative asset paths. */
  readonly assetFolder: string;
  readonly template: Template;
};

export type Template = {
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value?: unknown; readonly Export?: { readonly Name?: unknown } }>
  >;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
};

export type TemplateResource = {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
};

/** A resource of any stack, with every reference in its properties replaced by a local name, ARN or address. */
export type Resource = {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Folder with the code of a function, if the template has one. */
  readonly assetPath?: string;
  /** Settings of a function, where the template has them; see `lib/functions/function-code.ts`. */
  readonly settings?: unknown;
};
