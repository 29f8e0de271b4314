package otlp

import (
	"testing"

	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// The names are those of the conventions' version that they claim to follow.
func TestNames(t *testing.T) {
	if schemaURL != semconv.SchemaURL {
		t.Errorf("the version is %s, not %s", schemaURL, semconv.SchemaURL)
	}
	for ours, theirs := range map[string]string{
		genOperation: string(semconv.GenAIOperationNameKey), genProvider: string(semconv.GenAIProviderNameKey), genAgent: string(semconv.GenAIAgentNameKey),
		genTool: string(semconv.GenAIToolNameKey), genToolType: string(semconv.GenAIToolTypeKey), genRequested: string(semconv.GenAIRequestModelKey),
		genAnswered: string(semconv.GenAIResponseModelKey), genFinish: string(semconv.GenAIResponseFinishReasonsKey), genOutput: string(semconv.GenAIOutputTypeKey),
		genIn: string(semconv.GenAIUsageInputTokensKey), genCached: string(semconv.GenAIUsageCacheReadInputTokensKey),
		genOut: string(semconv.GenAIUsageOutputTokensKey), serverAddress: string(semconv.ServerAddressKey), serverPort: string(semconv.ServerPortKey),
		errorType: string(semconv.ErrorTypeKey), serviceName: string(semconv.ServiceNameKey), serviceVersion: string(semconv.ServiceVersionKey),
		invokeAgent: semconv.GenAIOperationNameInvokeAgent.Value.AsString(), executeTool: semconv.GenAIOperationNameExecuteTool.Value.AsString(),
		chat: semconv.GenAIOperationNameChat.Value.AsString(), jsonOutput: semconv.GenAIOutputTypeJSON.Value.AsString(),
		providers["gemini"]: semconv.GenAIProviderNameGCPGemini.Value.AsString(),
	} {
		if ours != theirs {
			t.Errorf("%q is called %q", ours, theirs)
		}
	}
}
