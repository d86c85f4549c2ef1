using MqttCheck.Protocol;

namespace MqttCheck.Tests.Broker.Rules;

/// <summary>One demand of the specification that a client can see a broker keep.</summary>
/// <param name="Rule">A short name.</param>
/// <param name="Statements311">
/// The statements of MQTT 3.1.1 behind it, without their prefix; empty if the version has no such rule.
/// </param>
/// <param name="Statements5">The statements of MQTT 5 behind it.</param>
/// <param name="Sentence">What the broker does.</param>
/// <param name="Run">Plays it against a broker.</param>
public sealed record RuleCheck(
    string Rule,
    string Statements311,
    string Statements5,
    string Sentence,
    Action<ProtocolVersion> Run
)
{
    /// <summary>The checks of a table as test cases, one per version that has the rule.</summary>
    public static IEnumerable<TestCaseData> Cases(IEnumerable<RuleCheck> table)
    {
        foreach (var check in table)
        {
            if (check.Statements311.Length > 0)
                yield return check.Case(ProtocolVersion.V311, $"MQTT-{check.Statements311} (3.1.1)");
            if (check.Statements5.Length > 0)
                yield return check.Case(ProtocolVersion.V5, $"MQTT-{check.Statements5} (5)");
        }
    }

    private TestCaseData Case(ProtocolVersion version, string statements) =>
        new TestCaseData(this, version).SetName($"{Rule}: {Sentence}. {statements}");
}
