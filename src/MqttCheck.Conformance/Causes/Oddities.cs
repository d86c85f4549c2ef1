using MqttCheck.Broker.Routing;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Causes;

/// <summary>
/// Things that may be special about a packet and make no difference to what it does: its form, its pieces, its topic's
/// characters. A smallest scenario has such a thing only if the broker makes a difference of it, and then that is the
/// cause, whatever follows from it.
/// </summary>
internal static class Oddities
{
    // So many packets in one piece are unusual.
    private const int Many = 8;

    private const int LargeBytes = 1000;

    /// <summary>Whether two smallest scenarios need the same thing that should make no difference.</summary>
    /// <param name="one">A smallest scenario.</param>
    /// <param name="other">Another one.</param>
    public static bool AreShared(Scenario one, Scenario other) => Of(one).Overlaps(Of(other));

    private static HashSet<string> Of(Scenario scenario)
    {
        var oddities = scenario.Steps.SelectMany(step => Of(step.Command)).ToHashSet(StringComparer.Ordinal);
        if (scenario.Steps.Count(step => step.Command.WithNext) >= Many)
            oddities.Add("many in one piece");
        return oddities;
    }

    private static IEnumerable<string> Of(Command command)
    {
        var type = command.GetType().Name;
        if (command.SplitBytes > 0)
            yield return "in pieces";
        foreach (var (holds, oddity) in OfPacket(command))
            if (holds)
                yield return $"{type} {oddity}";
        // A topic that begins with $ has rules of its own.
        foreach (var name in ScenarioShrinker.Names(command))
            if (Wording.Levels(SharedFilter.FilterOf(name).TrimStart('$')) is { Length: > 0 } marks)
                yield return marks;
    }

    private static (bool Holds, string Oddity)[] OfPacket(Command command) =>
        command switch
        {
            ConnectCommand connect =>
            [
                (connect.WithUserProperties, "user properties"),
                (connect.Identifier != IdentifierKind.Plain, $"{connect.Identifier}"),
                (connect.Version is not null, "version"),
            ],
            DisconnectCommand disconnect =>
            [
                (disconnect.WithUserProperties, "user properties"),
                (disconnect.WithReasonString, "reason string"),
                (disconnect.IsLong, "long"),
            ],
            AnswerCommand answer =>
            [
                (answer.Reason != ReasonCode.Success, "error"),
                (answer.IsLong, "long"),
                (answer.WithReasonString, "reason string"),
                (answer.WithUserProperties, "user properties"),
            ],
            SubscribeCommand subscribe => [(subscribe.WithUserProperties, "user properties")],
            UnsubscribeCommand unsubscribe => [(unsubscribe.WithUserProperties, "user properties")],
            PublishCommand publish =>
            [
                (publish.Duplicate || publish.Repeat, "DUP"),
                (publish.ReusesIdentifier, "identifier"),
                (publish.Alias is not null, "alias"),
                (publish.WithProperties, "properties"),
                (publish.PayloadBytes >= LargeBytes, "large"),
            ],
            _ => [],
        };
}
