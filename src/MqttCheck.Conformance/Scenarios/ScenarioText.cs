using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>
/// Scenarios as text: one command per line or between semicolons, made to be read, edited and replayed.
/// </summary>
/// <remarks>
/// <code>
/// A connect clean
/// A subscribe ~/a:1
/// B connect clean will=~/w:1:retain
/// &amp; B publish ~/a qos=1 retain
/// </code>
/// Topics write a space, <c>%</c>, <c>:</c> and <c>;</c> as <c>%20</c>, <c>%25</c>, <c>%3A</c> and <c>%3B</c>. Lines
/// that begin with <c>//</c> are remarks.
/// </remarks>
internal static class ScenarioText
{
    private const string Commands =
        "connect, disconnect, drop, subscribe, unsubscribe, publish, ping, wait, hold, release, answer, malformed";

    // The longest packet that a connection of a scenario takes is 16 MiB.
    private const int LargestPayload = 8_000_000;
    private const uint MostTimes = 100_000;

    private static readonly (string, bool)[] s_bits = [("0", false), ("1", true)];

    private static readonly (string, IdentifierKind)[] s_identifiers =
    [
        ("case", IdentifierKind.Case),
        ("long", IdentifierKind.Long),
    ];

    private static readonly (string Text, ProtocolVersion Version)[] s_versions =
    [
        ("3.1", ProtocolVersion.V31),
        ("3.1.1", ProtocolVersion.V311),
        ("5", ProtocolVersion.V5),
    ];

    /// <summary>Reads a scenario.</summary>
    /// <param name="text">The lines.</param>
    /// <param name="version">The protocol version.</param>
    /// <param name="where">The origin of the text, for the message.</param>
    /// <exception cref="InputException">A line is not understood.</exception>
    public static Scenario Parse(string text, ProtocolVersion version, string where)
    {
        Step[] steps =
        [
            .. text.Split(['\n', ';'], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
                .Where(line => !line.StartsWith("//", StringComparison.Ordinal))
                .Select(line => ParseStep(line, where)),
        ];
        if (steps.Length == 0)
            throw new InputException($"{where}: there is no command; a line is, for example, 'A connect clean'.");
        return new Scenario(version, [.. steps]);
    }

    /// <summary>A command as a line has it, without its client.</summary>
    /// <param name="command">The command.</param>
    public static string Format(Command command) =>
        Line(
            Words(command),
            Number("split", command.SplitBytes > 0 ? (uint)command.SplitBytes : null),
            Flag("with-next", command.WithNext)
        );

    private static string Words(Command command) =>
        command switch
        {
            ConnectCommand connect => Format(connect),
            DisconnectCommand disconnect => Format(disconnect),
            DropCommand => "drop",
            SubscribeCommand subscribe => Format(subscribe),
            UnsubscribeCommand unsubscribe => Line([
                "unsubscribe",
                .. unsubscribe.Filters.Select(Escape),
                Flag("user-properties", unsubscribe.WithUserProperties),
            ]),
            PublishCommand publish => Format(publish),
            PingCommand => "ping",
            WaitCommand wait => Invariant($"wait {wait.Milliseconds}ms"),
            HoldCommand hold => !hold.Withhold ? "release"
            : hold.PubcompOnly ? "hold pubcomp"
            : "hold",
            AnswerCommand answer => Line(
                "answer",
                Code("reason", answer.Reason),
                Flag("long", answer.IsLong),
                Flag("reason-string", answer.WithReasonString),
                Flag("user-properties", answer.WithUserProperties)
            ),
            MalformedCommand malformed => $"malformed {malformed.Defect}",
            _ => "",
        };

    private static string Format(ConnectCommand connect) =>
        Line(
            "connect",
            connect.Clean ? "clean" : "resume",
            connect.Version is { } version ? $"version={VersionText(version)}" : null,
            connect.WillTopic is { } will
                ? $"will={Escape(will)}:{(int)connect.WillQos}{(connect.WillRetain ? ":retain" : "")}"
                : null,
            Number("expiry", connect.SessionExpirySeconds),
            Number("window", connect.ReceiveMaximum),
            Number("aliases", connect.TopicAliasMaximum),
            Number("will-delay", connect.WillDelaySeconds),
            Number("will-expiry", connect.WillExpirySeconds),
            Flag("will-properties", connect.WillWithProperties),
            Number("max", connect.MaximumPacketBytes),
            Number("keepalive", connect.KeepAliveSeconds),
            Bit("problem", connect.ProblemInformation),
            Bit("response", connect.ResponseInformation),
            Flag("user-properties", connect.WithUserProperties),
            Flag("wrong-password", connect.WrongPassword),
            Flag("no-id", connect.WithoutIdentifier),
            Flag("client-id=case", connect.Identifier == IdentifierKind.Case),
            Flag("client-id=long", connect.Identifier == IdentifierKind.Long)
        );

    private static string Format(DisconnectCommand disconnect) =>
        Line(
            "disconnect",
            Flag("with-will", disconnect.WithWill),
            Code("reason", disconnect.Error ?? ReasonCode.Success),
            Number("expiry", disconnect.SessionExpirySeconds),
            Flag("long", disconnect.IsLong),
            Flag("reason-string", disconnect.WithReasonString),
            Flag("user-properties", disconnect.WithUserProperties)
        );

    private static string Format(SubscribeCommand subscribe) =>
        Line([
            "subscribe",
            .. subscribe.Requests.Select(Format),
            Number("id", subscribe.Identifier),
            Flag("user-properties", subscribe.WithUserProperties),
        ]);

    private static string Format(SubscriptionRequest request)
    {
        var options = (request.NoLocal ? ":no-local" : "") + (request.RetainAsPublished ? ":as-published" : "");
        if (request.RetainHandling != RetainHandling.Send)
            options += $":handling={(int)request.RetainHandling}";
        return $"{Escape(request.Filter)}:{(int)request.Qos}{options}";
    }

    private static string Format(PublishCommand publish) =>
        Line(
            "publish",
            Escape(publish.Topic),
            $"qos={(int)publish.Qos}",
            Flag("retain", publish.Retain),
            Flag("empty", publish.Empty),
            Flag("dup", publish.Duplicate),
            Flag("repeat", publish.Repeat),
            Flag("reuse", publish.ReusesIdentifier),
            Flag("cut=publish", publish.Cut == PublishCut.AfterPublish),
            Flag("cut=pubrec", publish.Cut == PublishCut.AfterPubrec),
            Flag("cut=pubrel", publish.Cut == PublishCut.AfterPubrel),
            Number("alias", publish.Alias),
            Flag("properties", publish.WithProperties),
            Number("expiry", publish.ExpirySeconds),
            Number("size", publish.PayloadBytes > 0 ? (uint)publish.PayloadBytes : null),
            Number("times", publish.Times > 1 ? (uint)publish.Times : null)
        );

    private static string Line(params IEnumerable<string?> words) =>
        string.Join(' ', words.Where(word => word is not null));

    private static string? Flag(string word, bool isSet) => isSet ? word : null;

    private static string? Bit(string key, bool? value) => value is { } bit ? $"{key}={(bit ? 1 : 0)}" : null;

    private static string? Code(string key, ReasonCode code) =>
        code == ReasonCode.Success ? null : Invariant($"{key}={(int)code}");

    private static string VersionText(ProtocolVersion version) =>
        s_versions.First(named => named.Version == version).Text;

    private static string? Number(string key, uint? value) => value is { } number ? Invariant($"{key}={number}") : null;

    private static Step ParseStep(string line, string where)
    {
        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        var concurrent = words[0] == "&";
        if (concurrent)
            words = words[1..];
        if (
            words.Length < 2
            || words[0].Length != 1
            || words[0][0] is < 'A' or >= (char)('A' + Scenario.MaximumClients)
        )
            throw new InputException(
                $"{where}: '{Printable.Value(line)}' is not understood; a line is "
                    + "'[&] CLIENT COMMAND ...' with a client A .. H and "
                    + $"one of {Commands}."
            );
        var command = ParseCommand(new ScenarioWords(line, where, words[1], words[2..]));
        return new Step(words[0][0] - 'A', command, concurrent);
    }

    private static Command ParseCommand(ScenarioWords words)
    {
        var withNext = words.Name == "unsubscribe" ? words.LastFlag("with-next") : words.Flag("with-next");
        var split = (int)(words.Number("split", LargestPayload) ?? 0);
        var command = ParsePlain(words);
        words.End();
        return command with { SplitBytes = split, WithNext = withNext };
    }

    private static Command ParsePlain(ScenarioWords words) =>
        words.Name switch
        {
            "connect" => ParseConnect(words),
            "disconnect" => ParseDisconnect(words),
            "drop" => new DropCommand(),
            "ping" => new PingCommand(),
            "wait" => new WaitCommand(words.Milliseconds()),
            "hold" => new HoldCommand(true) { PubcompOnly = words.Flag("pubcomp") },
            "release" => new HoldCommand(false),
            "answer" => ParseAnswer(words),
            "subscribe" => ParseSubscribe(words),
            "unsubscribe" => ParseUnsubscribe(words),
            "publish" => ParsePublish(words),
            "malformed" => new MalformedCommand(words.First("a packet defect")),
            _ => throw words.Wrong($"there is no command '{words.Name}'; there are {Commands}"),
        };

    private static ConnectCommand ParseConnect(ScenarioWords words)
    {
        var mode = words.First("'clean' or 'resume'");
        if (mode is not ("clean" or "resume"))
            throw words.Wrong($"'{mode}' is neither 'clean' nor 'resume'");
        var will = words.Value("will")?.Split(':');
        return new ConnectCommand(mode == "clean")
        {
            Version = words.OneOf("version", s_versions),
            WillTopic = will is null ? null : Unescape(will[0]),
            WillQos = will is { Length: > 1 } ? words.Qos(will[1]) : QualityOfService.AtMostOnce,
            WillRetain = will is { Length: > 2 } && will[2] == "retain",
            SessionExpirySeconds = words.Number("expiry", uint.MaxValue),
            ReceiveMaximum = (ushort?)words.Number("window", ushort.MaxValue),
            TopicAliasMaximum = (ushort?)words.Number("aliases", ushort.MaxValue),
            WillDelaySeconds = words.Number("will-delay", uint.MaxValue),
            WillExpirySeconds = words.Number("will-expiry", uint.MaxValue),
            WillWithProperties = words.Flag("will-properties"),
            MaximumPacketBytes = words.Number("max", uint.MaxValue),
            KeepAliveSeconds = (ushort?)words.Number("keepalive", ushort.MaxValue),
            ProblemInformation = words.OneOf("problem", s_bits),
            ResponseInformation = words.OneOf("response", s_bits),
            WithUserProperties = words.Flag("user-properties"),
            WrongPassword = words.Flag("wrong-password"),
            WithoutIdentifier = words.Flag("no-id"),
            Identifier = words.OneOf("client-id", s_identifiers) ?? IdentifierKind.Plain,
        };
    }

    private static DisconnectCommand ParseDisconnect(ScenarioWords words)
    {
        var withWill = words.Flag("with-will");
        var error = words.Code("reason", DisconnectCommand.Errors);
        if (withWill && error is not null)
            throw words.Wrong("'with-will' is a reason itself");
        return new DisconnectCommand(withWill, words.Number("expiry", uint.MaxValue))
        {
            Error = error,
            IsLong = words.Flag("long"),
            WithReasonString = words.Flag("reason-string"),
            WithUserProperties = words.Flag("user-properties"),
        };
    }

    private static AnswerCommand ParseAnswer(ScenarioWords words) =>
        new()
        {
            Reason = words.Code("reason", AnswerCommand.Refusals) ?? ReasonCode.Success,
            IsLong = words.Flag("long"),
            WithReasonString = words.Flag("reason-string"),
            WithUserProperties = words.Flag("user-properties"),
        };

    private static UnsubscribeCommand ParseUnsubscribe(ScenarioWords words)
    {
        var withUserProperties = words.LastFlag("user-properties");
        return new UnsubscribeCommand([.. words.Rest().Select(Unescape)]) { WithUserProperties = withUserProperties };
    }

    private static SubscribeCommand ParseSubscribe(ScenarioWords words)
    {
        var identifier = words.Number("id", 268_435_455);
        var withUserProperties = words.Flag("user-properties");
        var requests = new List<SubscriptionRequest>();
        foreach (var word in words.Rest())
        {
            var parts = word.Split(':');
            if (parts.Length < 2)
                throw words.Wrong($"'{word}' is not of the form FILTER:QOS");
            var request = new SubscriptionRequest(Unescape(parts[0]), words.Qos(parts[1]));
            foreach (var option in parts[2..])
            {
                request = option switch
                {
                    "no-local" => request with { NoLocal = true },
                    "as-published" => request with { RetainAsPublished = true },
                    "handling=1" => request with { RetainHandling = RetainHandling.SendIfNew },
                    "handling=2" => request with { RetainHandling = RetainHandling.DoNotSend },
                    _ => throw words.Wrong(
                        $"'{option}' is no option of a subscription; there are no-local, as-published, handling=1, "
                            + "handling=2"
                    ),
                };
            }
            requests.Add(request);
        }
        return new SubscribeCommand([.. requests], identifier) { WithUserProperties = withUserProperties };
    }

    private static PublishCommand ParsePublish(ScenarioWords words)
    {
        var topic = Unescape(words.First("a topic"));
        var cut = words.Value("cut");
        return new PublishCommand(topic, words.Qos(words.Value("qos") ?? "0"))
        {
            Retain = words.Flag("retain"),
            Empty = words.Flag("empty"),
            Duplicate = words.Flag("dup"),
            Repeat = words.Flag("repeat"),
            ReusesIdentifier = words.Flag("reuse"),
            Cut = cut switch
            {
                null => PublishCut.None,
                "publish" => PublishCut.AfterPublish,
                "pubrec" => PublishCut.AfterPubrec,
                "pubrel" => PublishCut.AfterPubrel,
                _ => throw words.Wrong($"cut={cut} is not allowed; allowed are publish, pubrec and pubrel"),
            },
            Alias = (ushort?)words.Number("alias", ushort.MaxValue),
            WithProperties = words.Flag("properties"),
            ExpirySeconds = words.Number("expiry", uint.MaxValue),
            PayloadBytes = (int)(words.Number("size", LargestPayload) ?? 0),
            Times = Math.Max(1, (int)(words.Number("times", MostTimes) ?? 1)),
        };
    }

    private static string Escape(string topic) =>
        topic.Length == 0
            ? "%"
            : topic
                .Replace("%", "%25", StringComparison.Ordinal)
                .Replace(" ", "%20", StringComparison.Ordinal)
                .Replace(":", "%3A", StringComparison.Ordinal)
                .Replace(";", "%3B", StringComparison.Ordinal);

    private static string Unescape(string word) =>
        word == "%"
            ? ""
            : word.Replace("%3B", ";", StringComparison.Ordinal)
                .Replace("%3A", ":", StringComparison.Ordinal)
                .Replace("%20", " ", StringComparison.Ordinal)
                .Replace("%25", "%", StringComparison.Ordinal);
}
