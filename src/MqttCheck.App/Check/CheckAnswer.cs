using MqttCheck.Conformance.Checking;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Check;

/// <summary>The answer of a check.</summary>
/// <param name="BetweenNodes">Sentences on findings that need the way between the nodes of a cluster.</param>
internal sealed record CheckAnswer(CheckReport Report, CheckDocument Document, IReadOnlyList<string> BetweenNodes)
{
    public Conclusion Conclusion => Document.Interrupted ? Conclusion.Interrupted : Report.Conclusion;
}
