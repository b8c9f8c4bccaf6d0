export type BodyOptions = { readonly include_content: boolean };
