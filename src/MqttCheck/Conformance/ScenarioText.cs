using System.Globalization;
using System.Text;
using MqttCheck.Conformance.Commands;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance;

/// <summary>Scenarios as text: one command per line or between semicolons, made to be read, edited and replayed.</summary>
/// <remarks>
/// <code>
/// A connect clean
/// A subscribe ~/a:1
/// B connect clean will=~/w:1:retain
/// &amp; B publish ~/a qos=1 retain
/// </code>
/// Topics write a space, <c>%</c>, <c>:</c> and <c>;</c> as <c>%20</c>, <c>%25</c>, <c>%3A</c> and <c>%3B</c>. Lines that begin with <c>//</c> are remarks.
/// </remarks>
public static class ScenarioText
{
    private const string Commands =
        "connect, disconnect, drop, subscribe, unsubscribe, publish, ping, wait, hold, release, malformed";

    /// <summary>Reads a scenario.</summary>
    /// <param name="text">The lines.</param>
    /// <param name="version">The protocol version.</param>
    /// <param name="where">Where the text stands, for the message.</param>
    /// <exception cref="InputException">A line is not understood.</exception>
    public static Scenario Parse(string text, ProtocolVersion version, string where)
    {
        ArgumentNullException.ThrowIfNull(text);
        var steps = new List<Step>();
        foreach (
            var line in text.Split(['\n', ';'], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
        )
            if (!line.StartsWith("//", StringComparison.Ordinal))
                steps.Add(ParseStep(line, where));
        if (steps.Count == 0)
            throw new InputException($"{where}: there is no command; a line is, for example, 'A connect clean'.");
        return new Scenario(version, [.. steps]);
    }

    /// <summary>A command as a line has it, without its client.</summary>
    /// <param name="command">The command.</param>
    public static string Format(Command command)
    {
        var text = new StringBuilder();
        switch (command)
        {
            case ConnectCommand connect:
                text.Append("connect ").Append(connect.Clean ? "clean" : "resume");
                if (connect.WillTopic is { } will)
                    Add($"will={Escape(will)}:{(int)connect.WillQos}{(connect.WillRetain ? ":retain" : "")}");
                if (connect.SessionExpirySeconds is { } expiry)
                    Add($"expiry={expiry}");
                if (connect.ReceiveMaximum is { } window)
                    Add($"window={window}");
                if (connect.TopicAliasMaximum is { } aliases)
                    Add($"aliases={aliases}");
                if (connect.WillDelaySeconds is { } delay)
                    Add($"will-delay={delay}");
                if (connect.MaximumPacketBytes is { } largest)
                    Add($"max={largest}");
                if (connect.KeepAliveSeconds is { } keepAlive)
                    Add($"keepalive={keepAlive}");
                if (connect.WrongPassword)
                    Add("wrong-password");
                if (connect.WithoutIdentifier)
                    Add("no-id");
                break;
            case DisconnectCommand disconnect:
                text.Append("disconnect");
                if (disconnect.WithWill)
                    Add("with-will");
                if (disconnect.SessionExpirySeconds is { } outlives)
                    Add($"expiry={outlives}");
                break;
            case DropCommand:
                text.Append("drop");
                break;
            case SubscribeCommand subscribe:
                text.Append("subscribe");
                foreach (var request in subscribe.Requests)
                {
                    Add($"{Escape(request.Filter)}:{(int)request.Qos}");
                    if (request.NoLocal)
                        text.Append(":no-local");
                    if (request.RetainAsPublished)
                        text.Append(":as-published");
                    if (request.RetainHandling != RetainHandling.Send)
                        text.Append(CultureInfo.InvariantCulture, $":handling={(int)request.RetainHandling}");
                }
                if (subscribe.Identifier is { } identifier)
                    Add($"id={identifier}");
                break;
            case UnsubscribeCommand unsubscribe:
                text.Append("unsubscribe");
                foreach (var filter in unsubscribe.Filters)
                    Add($"{Escape(filter)}");
                break;
            case PublishCommand publish:
                text.Append("publish ").Append(Escape(publish.Topic));
                Add($"qos={(int)publish.Qos}");
                if (publish.Retain)
                    Add("retain");
                if (publish.Empty)
                    Add("empty");
                if (publish.Duplicate)
                    Add("dup");
                if (publish.Repeat)
                    Add("repeat");
                if (publish.ReusesIdentifier)
                    Add("reuse");
                if (publish.Cut != PublishCut.None)
                    Add($"cut={(publish.Cut == PublishCut.AfterPublish ? "publish" : "pubrec")}");
                if (publish.Alias is { } alias)
                    Add($"alias={alias}");
                if (publish.WithProperties)
                    Add("properties");
                if (publish.ExpirySeconds is { } seconds)
                    Add($"expiry={seconds}");
                if (publish.PayloadBytes > 0)
                    Add($"size={publish.PayloadBytes}");
                break;
            case PingCommand:
                text.Append("ping");
                break;
            case WaitCommand wait:
                text.Append(CultureInfo.InvariantCulture, $"wait {wait.Milliseconds}ms");
                break;
            case HoldCommand hold:
                text.Append(hold.Withhold ? "hold" : "release");
                break;
            case MalformedCommand malformed:
                text.Append("malformed ").Append(malformed.Defect);
                break;
        }
        return text.ToString();

        void Add(string word) => text.Append(' ').Append(word);
    }

    internal static Step ParseStep(string line, string where)
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
                $"{where}: '{line}' is not understood; a line is '[&] CLIENT COMMAND ...' with a client A .. H and one of {Commands}."
            );
        return new Step(words[0][0] - 'A', ParseCommand(new Words(line, where, words[1], words[2..])), concurrent);
    }

    private static Command ParseCommand(Words words) =>
        words.Name switch
        {
            "connect" => ParseConnect(words),
            "disconnect" => new DisconnectCommand(words.Flag("with-will"), words.Number("expiry", uint.MaxValue)).After(
                words
            ),
            "drop" => new DropCommand().After(words),
            "ping" => new PingCommand().After(words),
            "wait" => new WaitCommand(words.Milliseconds()).After(words),
            "hold" => new HoldCommand(true).After(words),
            "release" => new HoldCommand(false).After(words),
            "subscribe" => ParseSubscribe(words),
            "unsubscribe" => new UnsubscribeCommand([.. words.Rest().Select(Unescape)]),
            "publish" => ParsePublish(words),
            "malformed" => new MalformedCommand(words.First("a packet defect")).After(words),
            _ => throw words.Wrong($"there is no command '{words.Name}'; there are {Commands}"),
        };

    private static Command ParseConnect(Words words)
    {
        var mode = words.First("'clean' or 'resume'");
        if (mode is not ("clean" or "resume"))
            throw words.Wrong($"'{mode}' is neither 'clean' nor 'resume'");
        var will = words.Value("will")?.Split(':');
        return new ConnectCommand(mode == "clean")
        {
            WillTopic = will is null ? null : Unescape(will[0]),
            WillQos = will is { Length: > 1 } ? words.Qos(will[1]) : QualityOfService.AtMostOnce,
            WillRetain = will is { Length: > 2 } && will[2] == "retain",
            SessionExpirySeconds = words.Number("expiry", uint.MaxValue),
            ReceiveMaximum = (ushort?)words.Number("window", ushort.MaxValue),
            TopicAliasMaximum = (ushort?)words.Number("aliases", ushort.MaxValue),
            WillDelaySeconds = words.Number("will-delay", uint.MaxValue),
            MaximumPacketBytes = words.Number("max", uint.MaxValue),
            KeepAliveSeconds = (ushort?)words.Number("keepalive", ushort.MaxValue),
            WrongPassword = words.Flag("wrong-password"),
            WithoutIdentifier = words.Flag("no-id"),
        }.After(words);
    }

    private static SubscribeCommand ParseSubscribe(Words words)
    {
        var identifier = words.Number("id", 268_435_455);
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
                        $"'{option}' is no option of a subscription; there are no-local, as-published, handling=1, handling=2"
                    ),
                };
            }
            requests.Add(request);
        }
        return new SubscribeCommand([.. requests], identifier);
    }

    private static Command ParsePublish(Words words)
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
                _ => throw words.Wrong($"cut={cut} is not allowed; allowed are publish and pubrec"),
            },
            Alias = (ushort?)words.Number("alias", ushort.MaxValue),
            WithProperties = words.Flag("properties"),
            ExpirySeconds = words.Number("expiry", uint.MaxValue),
            PayloadBytes = (int)(words.Number("size", 1_000_000) ?? 0),
        }.After(words);
    }

    private static Command After(this Command command, Words words)
    {
        words.End();
        return command;
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

    // The words of one line behind its command; each is taken once.
    private sealed class Words(string line, string where, string name, IEnumerable<string> words)
    {
        private readonly List<string> _left = [.. words];

        public string Name => name;

        public InputException Wrong(string what) => new($"{where}: '{line}': {what}.");

        public string First(string what)
        {
            if (_left.Count == 0)
                throw Wrong($"{what} is missing");
            var first = _left[0];
            _left.RemoveAt(0);
            return first;
        }

        public bool Flag(string flag) => _left.Remove(flag);

        public string? Value(string key)
        {
            var found = _left.Find(word => word.StartsWith(key + "=", StringComparison.Ordinal));
            if (found is null)
                return null;
            _left.Remove(found);
            return found[(key.Length + 1)..];
        }

        public uint? Number(string key, uint maximum)
        {
            if (Value(key) is not { } value)
                return null;
            if (
                uint.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                && number <= maximum
            )
                return number;
            throw Wrong(
                string.Create(CultureInfo.InvariantCulture, $"{key}={value} is not allowed; allowed is 0 .. {maximum}")
            );
        }

        public int Milliseconds()
        {
            var word = First("a time such as 1500ms");
            if (
                word.EndsWith("ms", StringComparison.Ordinal)
                && int.TryParse(word[..^2], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                && number is > 0 and <= WaitCommand.Longest
            )
                return number;
            throw Wrong(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"'{word}' is not allowed; allowed is 1ms .. {WaitCommand.Longest}ms"
                )
            );
        }

        public QualityOfService Qos(string value) =>
            value switch
            {
                "0" => QualityOfService.AtMostOnce,
                "1" => QualityOfService.AtLeastOnce,
                "2" => QualityOfService.ExactlyOnce,
                _ => throw Wrong($"QoS {value} is not allowed; allowed is 0 .. 2"),
            };

        public string[] Rest()
        {
            if (_left.Count == 0)
                throw Wrong("a filter is missing");
            var rest = _left.ToArray();
            _left.Clear();
            return rest;
        }

        public void End()
        {
            if (_left.Count > 0)
                throw Wrong($"'{_left[0]}' is not understood");
        }
    }
}
