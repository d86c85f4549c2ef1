using System.Globalization;

namespace MqttCheck.Brokers.Processes;

/// <summary>A broker as the user names it.</summary>
public sealed record BrokerSpecification
{
    /// <summary>The port of MQTT over TCP where an address names none.</summary>
    public const int DefaultPort = 1883;

    /// <summary>What a command line has in place of the port that the broker is to serve.</summary>
    public const string PortPlaceholder = "{port}";

    private const string TunedSuffix = ":tuned";

    private static readonly Dictionary<string, BrokerKind> Programs = new(StringComparer.Ordinal)
    {
        ["mosquitto"] = BrokerKind.Mosquitto,
        ["rabbitmq"] = BrokerKind.RabbitMq,
        ["ejabberd"] = BrokerKind.Ejabberd,
        ["nats"] = BrokerKind.Nats,
    };

    private BrokerSpecification(BrokerKind kind, string name) => (Kind, Name) = (kind, name);

    /// <summary>The forms that <see cref="Parse"/> takes, for messages and help.</summary>
    public static string AllowedForms =>
        $"embedded, {string.Join(", ", Programs.Keys)} (each also with {TunedSuffix}), mqtt://HOST[:PORT], exec:\"COMMAND {PortPlaceholder}\"";

    /// <summary>Which broker.</summary>
    public BrokerKind Kind { get; }

    /// <summary>The broker in its normal form, for example <c>mosquitto:tuned</c> or <c>mqtt://localhost:1883</c>; parsing it gives this specification again.</summary>
    public string Name { get; }

    /// <summary>Whether an installed broker gets settings for throughput instead of those a user gets by default.</summary>
    public bool IsTuned { get; private init; }

    /// <summary>The host of a running broker, otherwise empty.</summary>
    public string Host { get; private init; } = "";

    /// <summary>The port of a running broker, otherwise 0.</summary>
    public int Port { get; private init; }

    /// <summary>The words of a command line, with <see cref="PortPlaceholder"/> in them; otherwise empty.</summary>
    public IReadOnlyList<string> Command { get; private init; } = [];

    /// <summary>Reads a broker's name.</summary>
    /// <param name="text">One of <see cref="AllowedForms"/>.</param>
    /// <exception cref="InputException">It is none of them. The message shows no credentials.</exception>
    public static BrokerSpecification Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        text = text.Trim();
        if (text.Contains("://", StringComparison.Ordinal)) return ParseAddress(text);
        if (text.StartsWith("exec:", StringComparison.Ordinal)) return ParseCommand(text["exec:".Length..]);
        if (text == "embedded") return new BrokerSpecification(BrokerKind.Embedded, text);
        var isTuned = text.EndsWith(TunedSuffix, StringComparison.Ordinal);
        var program = isTuned ? text[..^TunedSuffix.Length] : text;
        if (!Programs.TryGetValue(program, out var kind)) throw new InputException($"Broker '{text}' is unknown; allowed: {AllowedForms}.");
        return new BrokerSpecification(kind, text) { IsTuned = isTuned };
    }

    /// <summary>The normal form.</summary>
    public override string ToString() => Name;

    private static BrokerSpecification ParseAddress(string text)
    {
        var at = text.LastIndexOf('@');
        var shown = at < 0 ? text : text[..(text.IndexOf("://", StringComparison.Ordinal) + 3)] + "..." + text[at..];
        if (at >= 0)
        {
            throw new InputException(
                $"Broker address '{shown}' holds credentials; give user name and password by their own options, by environment or by file, so that they reach no log.");
        }
        if (text.StartsWith("mqtts://", StringComparison.OrdinalIgnoreCase))
            throw new InputException($"Broker address '{shown}' asks for TLS, which is not supported; allowed: mqtt://HOST[:PORT].");
        if (!text.StartsWith("mqtt://", StringComparison.OrdinalIgnoreCase)
            || !Uri.TryCreate(text, UriKind.Absolute, out var address)
            || address.Host.Length == 0 || address.Port == 0 || address.PathAndQuery is not ("" or "/") || address.Fragment.Length > 0)
        {
            throw new InputException($"Broker address '{shown}' is not understood; allowed: mqtt://HOST[:PORT] with port 1 .. 65535.");
        }
        var port = address.Port < 0 ? DefaultPort : address.Port;
        var name = string.Create(CultureInfo.InvariantCulture, $"mqtt://{address.Host}:{port}");
        return new BrokerSpecification(BrokerKind.Running, name) { Host = address.DnsSafeHost, Port = port };
    }

    private static BrokerSpecification ParseCommand(string text)
    {
        // On a command line the shell takes the quotes away; in a file they stay.
        var line = text.Trim();
        if (line.Length >= 2 && line[0] == '"' && line.IndexOf('"', 1) == line.Length - 1) line = line[1..^1];
        if (!CommandLine.TrySplit(line, out var words)) throw new InputException($"Command '{line}' has a quote that is not closed.");
        if (words.Count == 0 || !words.Any(word => word.Contains(PortPlaceholder, StringComparison.Ordinal)))
        {
            throw new InputException(
                $"Command '{line}' does not say where the port goes; allowed: exec:\"COMMAND {PortPlaceholder}\", where {PortPlaceholder} becomes a free port on 127.0.0.1.");
        }
        return new BrokerSpecification(BrokerKind.Command, $"exec:{line}") { Command = words };
    }
}
