/** Actions that a type's handlers name for a feature which its resources have only with a property. */
export type FeatureRight = {
  readonly type: string;
  /** Of the resource, as a path. */
  readonly property: string;
  /** Each may end in `*`. */
  readonly actions: readonly string[];
};

const kms = ["kms:*"];

/**
 * What handlers name for features. Without the property it is not needed, and much of it reads or writes data: a role that
 * makes tables needs no `dynamodb:GetItem`. A template that begins to use such a property gets the actions with it.
 */
export const featureRights: readonly FeatureRight[] = [
  // Contents that the registry fetches itself, with credentials; ours are in the record.
  ...["McpServer.Source", "A2aAgentCard.Source"].map((property) => ({
    type: "AWS::AgentRegistry::RegistryRecord",
    property: `Descriptors.${property}`,
    actions: ["bedrock-agentcore:*", "iam:PassRole", "secretsmanager:*"],
  })),
  // Budgets of a part of the account's bill.
  {
    type: "AWS::Budgets::Budget",
    property: "Budget.BillingViewArn",
    actions: ["billing:GetBillingViewData"],
  },
  {
    type: "AWS::CodeDeploy::DeploymentGroup",
    property: "OnPremisesInstanceTagFilters",
    actions: ["codedeploy:RegisterOnPremisesInstance"],
  },
  {
    type: "AWS::DynamoDB::GlobalTable",
    property: "KinesisStreamSpecification",
    actions: [
      "kinesis:*",
      "dynamodb:EnableKinesisStreamingDestination",
      "dynamodb:DisableKinesisStreamingDestination",
      "dynamodb:UpdateKinesisStreamingDestination",
    ],
  },
  {
    type: "AWS::DynamoDB::GlobalTable",
    property: "WriteProvisionedThroughputSettings",
    actions: [
      "application-autoscaling:Put*",
      "application-autoscaling:Delete*",
      "application-autoscaling:Register*",
      "application-autoscaling:Deregister*",
      "dynamodb:UpdateTableReplicaAutoScaling",
    ],
  },
  {
    // Replicas in further regions, whose items are copied.
    type: "AWS::DynamoDB::GlobalTable",
    property: "Replicas.1",
    actions: [
      "dynamodb:BatchWriteItem",
      "dynamodb:CreateTableReplica",
      "dynamodb:DeleteItem",
      "dynamodb:DeleteTableReplica",
      "dynamodb:DisassociateTableReplica",
      "dynamodb:GetItem",
      "dynamodb:PutItem",
      "dynamodb:Query",
      "dynamodb:Scan",
      "dynamodb:UpdateItem",
      "iam:CreateServiceLinkedRole",
    ],
  },
  {
    type: "AWS::DynamoDB::GlobalTable",
    property: "Replicas.0.ResourcePolicy",
    actions: ["dynamodb:PutResourcePolicy", "dynamodb:DeleteResourcePolicy"],
  },
  { type: "AWS::DynamoDB::GlobalTable", property: "SSESpecification", actions: kms },
  {
    type: "AWS::S3::Bucket",
    property: "MetadataTableConfiguration",
    actions: [
      "s3tables:*",
      "s3:CreateBucketMetadata*",
      "s3:DeleteBucketMetadata*",
      "s3:UpdateBucketMetadata*",
    ],
  },
  ...Object.entries({
    AbacStatus: ["s3:PutBucketAbac"],
    AccelerateConfiguration: ["s3:PutAccelerateConfiguration"],
    AccessControl: ["s3:PutBucketAcl", "s3:PutObjectAcl"],
    AnalyticsConfigurations: ["s3:PutAnalyticsConfiguration"],
    IntelligentTieringConfigurations: ["s3:PutIntelligentTieringConfiguration"],
    InventoryConfigurations: ["s3:PutInventoryConfiguration"],
    LoggingConfiguration: ["s3:PutBucketLogging"],
    MetricsConfigurations: ["s3:PutMetricsConfiguration"],
    NotificationConfiguration: ["s3:PutBucketNotification"],
    ObjectLockConfiguration: ["s3:PutBucketObjectLockConfiguration", "s3:DeleteObject"],
    ReplicationConfiguration: ["s3:PutReplicationConfiguration"],
    VersioningConfiguration: ["s3:PutBucketVersioning"],
    WebsiteConfiguration: ["s3:PutBucketWebsite", "s3:DeleteBucketWebsite"],
  }).map(([property, actions]) => ({ type: "AWS::S3::Bucket", property, actions })),
  { type: "AWS::S3Vectors::VectorBucket", property: "EncryptionConfiguration", actions: kms },
  ...Object.entries({
    CapacityProviderConfig: ["lambda:PassCapacityProvider", "lambda:PutFunctionScalingConfig"],
    CodeSigningConfigArn: [
      "lambda:GetCodeSigningConfig",
      "lambda:PutFunctionCodeSigningConfig",
      "lambda:DeleteFunctionCodeSigningConfig",
    ],
    FileSystemConfigs: ["elasticfilesystem:*", "s3files:*"],
    KmsKeyArn: kms,
    Layers: ["lambda:GetLayerVersion"],
    RuntimeManagementConfig: ["lambda:PutRuntimeManagementConfig", "lambda:AssociateRuntimeAlias"],
    VpcConfig: ["ec2:*"],
  }).map(([property, actions]) => ({ type: "AWS::Lambda::Function", property, actions })),
  {
    type: "AWS::Lambda::Version",
    property: "ProvisionedConcurrencyConfig",
    actions: ["lambda:PutProvisionedConcurrencyConfig"],
  },
  {
    type: "AWS::Lambda::Version",
    property: "FunctionScalingConfig",
    actions: ["lambda:PutFunctionScalingConfig"],
  },
  { type: "AWS::Lambda::Version", property: "RuntimePolicy", actions: ["lambda:PutRuntimeManagementConfig"] },
  {
    type: "AWS::Lambda::Alias",
    property: "ProvisionedConcurrencyConfig",
    actions: ["lambda:PutProvisionedConcurrencyConfig", "lambda:DeleteProvisionedConcurrencyConfig"],
  },
  { type: "AWS::Lambda::Alias", property: "RoutingConfig", actions: ["codedeploy:*"] },
  { type: "AWS::Lambda::EventSourceMapping", property: "KmsKeyArn", actions: kms },
  ...Object.entries({
    BearerTokenAuthenticationEnabled: ["logs:PutBearerTokenAuthentication"],
    DataProtectionPolicy: [
      "logs:PutDataProtectionPolicy",
      "logs:DeleteDataProtectionPolicy",
      "logs:CreateLogDelivery",
      "firehose:*",
      "s3:REST.PUT.OBJECT",
    ],
    DeletionProtectionEnabled: ["logs:PutLogGroupDeletionProtection"],
    FieldIndexPolicies: ["logs:PutIndexPolicy", "logs:DeleteIndexPolicy"],
    KmsKeyId: ["logs:AssociateKmsKey", "logs:DisassociateKmsKey"],
    ResourcePolicyDocument: ["logs:PutResourcePolicy", "logs:DeleteResourcePolicy"],
  }).map(([property, actions]) => ({ type: "AWS::Logs::LogGroup", property, actions })),
  {
    type: "AWS::IAM::Role",
    property: "ManagedPolicyArns",
    actions: ["iam:AttachRolePolicy", "iam:DetachRolePolicy"],
  },
  {
    type: "AWS::IAM::Role",
    property: "PermissionsBoundary",
    actions: ["iam:PutRolePermissionsBoundary", "iam:DeleteRolePermissionsBoundary"],
  },
  {
    type: "AWS::IAM::Policy",
    property: "Groups",
    actions: ["iam:GetGroupPolicy", "iam:PutGroupPolicy", "iam:DeleteGroupPolicy"],
  },
  {
    type: "AWS::IAM::Policy",
    property: "Users",
    actions: ["iam:GetUserPolicy", "iam:PutUserPolicy", "iam:DeleteUserPolicy"],
  },
  {
    type: "AWS::IAM::ManagedPolicy",
    property: "Groups",
    actions: ["iam:AttachGroupPolicy", "iam:DetachGroupPolicy"],
  },
  {
    type: "AWS::IAM::ManagedPolicy",
    property: "Users",
    actions: ["iam:AttachUserPolicy", "iam:DetachUserPolicy"],
  },
  {
    type: "AWS::SecretsManager::Secret",
    property: "ReplicaRegions",
    actions: ["secretsmanager:ReplicateSecretToRegions", "secretsmanager:RemoveRegionsFromReplication"],
  },
  { type: "AWS::SNS::Topic", property: "DeliveryStatusLogging", actions: ["iam:GetRole", "iam:PassRole"] },
  { type: "AWS::SNS::Topic", property: "DataProtectionPolicy", actions: ["sns:PutDataProtectionPolicy"] },
  {
    type: "AWS::SNS::Subscription",
    property: "SubscriptionRoleArn",
    actions: ["iam:GetRole", "iam:PassRole"],
  },
  {
    type: "AWS::CloudFront::Distribution",
    property: "DistributionConfig.ConnectionMode",
    actions: ["cloudfront:CreateConnectionGroup", "cloudfront:GetConnectionGroup"],
  },
  {
    type: "AWS::CloudFront::Distribution",
    property: "DistributionConfig.ContinuousDeploymentPolicyId",
    actions: ["cloudfront:UpdateDistributionWithStagingConfig"],
  },
  {
    type: "AWS::CloudFront::Distribution",
    property: "DistributionConfig.Origins.0.VpcOriginConfig",
    actions: ["cloudfront:GetVpcOrigin"],
  },
  { type: "AWS::Cognito::UserPool", property: "KeyConfiguration", actions: kms },
  {
    type: "AWS::Cognito::UserPool",
    property: "EmailConfiguration",
    actions: ["iam:CreateServiceLinkedRole"],
  },
  { type: "AWS::Cognito::UserPool", property: "SmsConfiguration", actions: ["iam:PassRole"] },
  { type: "AWS::Cognito::UserPoolClient", property: "AnalyticsConfiguration", actions: ["iam:*"] },
  {
    type: "AWS::Cognito::UserPoolDomain",
    property: "CustomDomainConfig",
    actions: ["cloudfront:updateDistribution", ...kms],
  },
  { type: "AWS::ApiGatewayV2::Api", property: "BodyS3Location", actions: ["s3:getObject"] },
  { type: "AWS::ApiGatewayV2::Integration", property: "CredentialsArn", actions: ["iam:PassRole"] },
  { type: "AWS::ApiGatewayV2::Authorizer", property: "AuthorizerCredentialsArn", actions: ["iam:PassRole"] },
  {
    type: "AWS::ApiGatewayV2::DomainName",
    property: "MutualTlsAuthentication",
    actions: ["s3:GetObject", "s3:GetObjectVersion"],
  },
];

/** Actions that no handler names although the service asks for them. `property` is as above; without one always. */
export const furtherRights: readonly (Omit<FeatureRight, "property"> & {
  readonly property?: string;
  readonly source: string;
})[] = [
  {
    type: "AWS::ApiGatewayV2::Stage",
    property: "AccessLogSettings",
    actions: [
      "logs:CreateLogDelivery",
      "logs:DeleteLogDelivery",
      "logs:DescribeLogGroups",
      "logs:DescribeResourcePolicies",
      "logs:GetLogDelivery",
      "logs:ListLogDeliveries",
      "logs:PutResourcePolicy",
      "logs:UpdateLogDelivery",
    ],
    source: 'API Gateway developer guide, "Configure logging for HTTP APIs"',
  },
  {
    type: "AWS::ApiGatewayV2::DomainName",
    actions: ["iam:CreateServiceLinkedRole"],
    source: 'API Gateway developer guide, "Service-linked roles": made with the first domain of an account',
  },
  {
    type: "AWS::CloudFront::Distribution",
    property: "DistributionConfig.WebACLId",
    actions: ["wafv2:AssociateWebACL", "wafv2:DisassociateWebACL", "wafv2:GetWebACL"],
    source: "service authorization reference, AWS WAF V2",
  },
  {
    type: "AWS::CloudFormation::CustomResource",
    actions: ["lambda:InvokeFunction"],
    source: "CloudFormation user guide, custom resources: invoked with the role of the deployment",
  },
  {
    type: "AWS::KMS::Key",
    actions: ["kms:CreateGrant", "kms:Decrypt", "kms:GenerateDataKey", "kms:RevokeGrant"],
    source: "DynamoDB, SQS and CloudWatch Logs receive the key from the role of the deployment",
  },
];
