using MqttCheck.Conformance.Roles.Searching;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Check;

/// <summary>The answer of a check of a client program.</summary>
internal sealed record ClientCheckAnswer(ClientReport Report, CheckDocument Document)
{
    public Conclusion Conclusion => Document.Interrupted ? Conclusion.Interrupted : Report.Conclusion;
}
