/** What an answer says of its request. */
type Answered = {
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
};

/** How a custom resource went. */
export type CustomResourceOutcome =
  | { readonly failure: string }
  /** Attributes that the template reads. */
  | { readonly data?: Readonly<Record<string, string>> };

/**
 * Reports the result to CloudFormation, without which the stack would wait until its time is over.
 *
 * @param id  of the resource. It never changes: with another one CloudFormation would delete the resource before it
 * @source CloudFormation user guide, "Custom resource response objects"
 */
export async function answerCloudFormation(
  { ResponseURL, StackId, RequestId, LogicalResourceId }: Answered,
  id: string,
  outcome: CustomResourceOutcome,
): Promise<void> {
  const body = JSON.stringify({
    ...("failure" in outcome
      ? { Status: "FAILED", Reason: outcome.failure }
      : { Status: "SUCCESS", Data: outcome.data }),
    PhysicalResourceId: id,
    StackId,
    RequestId,
    LogicalResourceId,
  });
  // The address is signed for a request without a content type.
  const { ok, status } = await fetch(ResponseURL, { method: "PUT", headers: { "content-type": "" }, body });
  if (!ok) throw new Error(`CloudFormation took no answer: ${status}`);
}
