/** What a service that speaks JSON answers. */
export type JsonAnswer = { readonly status: number; readonly type?: string; readonly body: object };
