import type { CloudFormationCustomResourceEvent } from "aws-lambda";

/** Never changes: another id would have CloudFormation delete what has the one before, and with it the data. */
const ID = "data-remover";

/**
 * Reports the result to CloudFormation, without which the stack would wait until its time is over.
 *
 * @param failure  why it did not work; undefined where it did
 * @source CloudFormation user guide, "Custom resource response objects"
 */
export async function answerCloudFormation(
  { ResponseURL, StackId, RequestId, LogicalResourceId }: CloudFormationCustomResourceEvent,
  failure: string | undefined,
): Promise<void> {
  const body = JSON.stringify({
    Status: failure === undefined ? "SUCCESS" : "FAILED",
    ...(failure !== undefined && { Reason: failure }),
    PhysicalResourceId: ID,
    StackId,
    RequestId,
    LogicalResourceId,
  });
  // The address is signed for a request without a content type.
  const { ok, status } = await fetch(ResponseURL, { method: "PUT", headers: { "content-type": "" }, body });
  if (!ok) throw new Error(`CloudFormation took no answer: ${status}`);
}
