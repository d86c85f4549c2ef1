using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Findings;

/// <summary>
/// A pattern of the scenarios that are likely to show a finding again. They have commands like those of its smallest
/// scenario, in the same order or at once. Exploration avoids them, so that it finds something new.
/// </summary>
internal sealed class ScenarioPattern
{
    private readonly ProtocolVersion _version;
    private readonly List<HashSet<string>> _wanted;

    /// <summary>The pattern of a smallest scenario.</summary>
    /// <param name="smallest">The scenario.</param>
    /// <param name="withQos">Whether the qualities of service, and which wildcards filters have, are part of
    /// it.</param>
    public ScenarioPattern(Scenario smallest, bool withQos = true)
    {
        _version = smallest.Version;
        // Connecting and a plain subscription are part of nearly everything.
        _wanted = [.. smallest.Steps.Select(step => Features(step.Command)).Where(features => features.Count > 0)];
        if (!withQos)
            foreach (var features in _wanted)
                features.RemoveWhere(IsAboutQosOrWildcard);
    }

    /// <summary>Whether a scenario has all of it.</summary>
    /// <param name="scenario">The scenario.</param>
    public bool Matches(Scenario scenario)
    {
        if (scenario.Version != _version)
            return false;
        var next = 0;
        var group = new List<HashSet<string>>();
        Step? last = null;
        foreach (var step in scenario.Steps)
        {
            // Commands that are under way at once may take effect in any order.
            if (last is null || !step.GoesWith(last))
                group.Clear();
            last = step;
            group.Add(Features(step.Command));
            while (
                next < _wanted.Count
                && group.FindIndex(features => _wanted[next].IsSubsetOf(features)) is >= 0 and var found
            )
            {
                group.RemoveAt(found);
                next++;
            }
        }
        return next == _wanted.Count;
    }

    /// <summary>
    /// Whether two smallest scenarios that violate one statement do so for one cause, as far as can be told from
    /// outside: the later has all that the earlier needed, whatever its qualities of service; the earlier has all that
    /// the later needed, at the same ones; or they have one shape.
    /// </summary>
    /// <param name="earlier">The scenario of a finding.</param>
    /// <param name="later">Another scenario.</param>
    /// <param name="statement">The statement.</param>
    public static bool HaveOneCause(Scenario earlier, Scenario later, Statement statement)
    {
        return new ScenarioPattern(earlier, withQos: IsAboutQos(statement)).Matches(
                later with
                {
                    Version = earlier.Version,
                }
            )
            || new ScenarioPattern(later).Matches(earlier with { Version = later.Version })
            || Shape(earlier, statement) == Shape(later, statement);
    }

    /// <summary>
    /// Describes a smallest scenario by the details that tell causes apart. Wildcards and the place of special topic
    /// names are left out. Qualities of service count only by their order, and only if the statement is about them.
    /// Findings of one statement and one shape are taken to have one cause.
    /// </summary>
    /// <param name="smallest">The scenario.</param>
    /// <param name="statement">The statement that it violates.</param>
    public static string Shape(Scenario smallest, Statement statement)
    {
        var isAboutQos = IsAboutQos(statement);
        var ranks = smallest.Steps.SelectMany(step => QosOf(step.Command)).Distinct().Order().ToList();
        var lines = new List<string>();
        var names = new SortedSet<string>(StringComparer.Ordinal);
        var clients = new List<int>();
        foreach (var step in smallest.Steps)
        {
            // Connecting is part of everything, and who publishes hardly ever matters.
            if (step.Command is ConnectCommand && Features(step.Command).Count == 0)
                continue;
            if (step.Command is not PublishCommand && !clients.Contains(step.Client))
                clients.Add(step.Client);
            // Several filters in one packet act like several packets.
            Command[] parts = step.Command is SubscribeCommand { Requests: var requests, Identifier: var identifier }
                ? [.. requests.Select(request => new SubscribeCommand([request], identifier))]
                : [step.Command];
            foreach (var part in parts)
            {
                var all = Features(part);
                // A wildcard of a filter may stand for what is special about the topic.
                names.UnionWith(all.Where(IsAboutNames));
                var features = all.Where(feature => !IsAboutQosOrWildcard(feature) && !IsAboutNames(feature));
                var qos = isAboutQos ? string.Concat(QosOf(part).Select(q => ranks.IndexOf(q))) : "";
                lines.Add(
                    $"{(part is PublishCommand ? "" : clients.IndexOf(step.Client))} {part.GetType().Name} "
                        + $"{string.Join(',', features.Order(StringComparer.Ordinal))} {qos}"
                );
            }
        }
        return string.Join('\n', [.. lines, .. names]);
    }

    /// <summary>Whether a statement is about qualities of service.</summary>
    /// <param name="statement">The statement.</param>
    public static bool IsAboutQos(Statement statement) =>
        statement == Statements.DeliveryQos || statement == Statements.Overlap;

    private static bool IsAboutQosOrWildcard(string feature) =>
        feature is "+" or "#"
        || feature.StartsWith("subscribe ", StringComparison.Ordinal)
        || feature.StartsWith("publish ", StringComparison.Ordinal);

    private static bool IsAboutNames(string feature) => feature is "$" or "empty-level" or "special";

    private static IEnumerable<QualityOfService> QosOf(Command command) =>
        command switch
        {
            ConnectCommand { WillTopic: not null } connect => [connect.WillQos],
            SubscribeCommand subscribe => subscribe.Requests.Select(request => request.Qos),
            PublishCommand publish => [publish.Qos],
            _ => [],
        };

    private static HashSet<string> Features(Command command)
    {
        var features = Those((command.SplitBytes > 0, "split"), (command.WithNext, "with next"));
        return features.Concat(Own(command)).ToHashSet(StringComparer.Ordinal);
    }

    private static IEnumerable<string> Own(Command command) =>
        command switch
        {
            ConnectCommand connect => Features(connect),
            DisconnectCommand disconnect => Features(disconnect),
            DropCommand or HoldCommand or PingCommand or WaitCommand => [command.GetType().Name],
            SubscribeCommand subscribe =>
            [
                "subscribe",
                .. subscribe.Requests.SelectMany(Features),
                .. Those(
                    (subscribe.Identifier is not null, "identifier"),
                    (subscribe.WithUserProperties, "user properties")
                ),
            ],
            UnsubscribeCommand unsubscribe =>
            [
                "unsubscribe",
                .. Those((unsubscribe.WithUserProperties, "user properties")),
            ],
            PublishCommand publish => Features(publish),
            MalformedCommand malformed => [malformed.Defect],
            AnswerCommand answer => Features(answer),
            _ => [],
        };

    private static IEnumerable<string> Features(ConnectCommand connect) =>
        Those(
            (connect.WillTopic is not null, "will"),
            (!connect.Clean, "resume"),
            (connect.ReceiveMaximum is not null, "window"),
            (connect.TopicAliasMaximum is not null, "aliases"),
            (connect.WillWithProperties, "will properties"),
            (connect.WillDelaySeconds is not null, "will delay"),
            (connect.MaximumPacketBytes is not null, "largest packet"),
            (connect.KeepAliveSeconds is not null, "keep alive"),
            (connect.WrongPassword, "wrong password"),
            (connect.WithoutIdentifier, "no identifier"),
            (connect.Identifier != IdentifierKind.Plain, $"identifier {connect.Identifier}"),
            (connect.Version is not null, $"version {connect.Version}"),
            (connect.ProblemInformation is not null, "problem information"),
            (connect.ResponseInformation is not null, "response information"),
            (connect.WithUserProperties, "user properties"),
            (connect.WillExpirySeconds is not null, "will expiry")
        );

    private static IEnumerable<string> Features(DisconnectCommand disconnect) =>
        [
            nameof(DisconnectCommand),
            .. Those(
                (disconnect.Error is not null, "error"),
                (disconnect.IsLong, "long"),
                (disconnect.WithReasonString, "reason string"),
                (disconnect.WithUserProperties, "user properties")
            ),
        ];

    private static IEnumerable<string> Features(AnswerCommand answer) =>
        [
            nameof(AnswerCommand),
            .. Those(
                (answer.Reason != ReasonCode.Success, "error"),
                (answer.IsLong, "long"),
                (answer.WithReasonString, "reason string"),
                (answer.WithUserProperties, "user properties")
            ),
        ];

    private static IEnumerable<string> Features(SubscriptionRequest request) =>
        [
            $"subscribe {request.Qos}",
            .. Levels(request.Filter),
            .. Those(
                (request.NoLocal, "no-local"),
                (request.RetainAsPublished, "as-published"),
                (request.RetainHandling != RetainHandling.Send, "handling"),
                (request.Filter.StartsWith("$share/", StringComparison.Ordinal), "shared")
            ),
        ];

    private static IEnumerable<string> Features(PublishCommand publish) =>
        [
            "publish",
            $"publish {publish.Qos}",
            .. Levels(publish.Topic),
            .. Those(
                (publish.Retain, "retain"),
                (publish.Empty, "empty"),
                (publish.Duplicate || publish.Repeat, "dup"),
                (publish.Repeat, "repeat"),
                (publish.Cut != PublishCut.None, "cut"),
                (publish.Alias is not null, "alias"),
                (publish.WithProperties, "properties"),
                (publish.ExpirySeconds is not null, "expiry"),
                (publish.Times > 1, "times")
            ),
        ];

    private static IEnumerable<string> Levels(string topic) =>
        Those(
            (topic.Contains('+', StringComparison.Ordinal), "+"),
            (topic.Contains('#', StringComparison.Ordinal), "#"),
            (topic.StartsWith('$'), "$"),
            (
                topic.StartsWith('/') || topic.EndsWith('/') || topic.Contains("//", StringComparison.Ordinal),
                "empty-level"
            ),
            (topic.AsSpan().IndexOfAny(".*> ") >= 0, "special")
        );

    private static IEnumerable<string> Those(params (bool Holds, string Feature)[] features) =>
        features.Where(feature => feature.Holds).Select(feature => feature.Feature);
}
