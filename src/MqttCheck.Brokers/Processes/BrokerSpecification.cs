using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Settings;
using MqttCheck.Text;

namespace MqttCheck.Brokers.Processes;

/// <summary>A broker as the user names it.</summary>
internal sealed record BrokerSpecification
{
    /// <summary>The placeholder in a command line for the port that the broker serves.</summary>
    public const string PortPlaceholder = "{port}";

    /// <summary>The name of MqttCheck's own broker.</summary>
    public const string EmbeddedName = "embedded";

    private const string TunedSuffix = ":tuned";
    private const string NoDelaySuffix = ":nodelay";
    private const string AddressForms =
        "mqtt://HOST[:PORT], mqtts://HOST[:PORT], ws://HOST[:PORT][/PATH], wss://HOST[:PORT][/PATH]";
    private const string DefaultPath = "/mqtt";
    private const string ClusterPrefix = "cluster:";

    private static readonly Dictionary<string, BrokerKind> Programs = new(StringComparer.Ordinal)
    {
        ["mqttnet"] = BrokerKind.MqttNet,
        ["mosquitto"] = BrokerKind.Mosquitto,
        ["rabbitmq"] = BrokerKind.RabbitMq,
        ["ejabberd"] = BrokerKind.Ejabberd,
        ["nats"] = BrokerKind.Nats,
        ["aedes"] = BrokerKind.Aedes,
        ["aedes-redis"] = BrokerKind.AedesRedis,
        ["pipeline"] = BrokerKind.Pipeline,
    };

    private static readonly Regex Separator = new(
        $@",(?=\s*(?:{string.Join('|', Names)}|exec:|{ClusterPrefix}|[a-z]+://))",
        RegexOptions.CultureInvariant
    );

    // In a list a comma separates brokers, so the nodes of a cluster are separated by a plus.
    private static readonly Regex NodeSeparator = new(@"\+(?=[a-z]+://)", RegexOptions.CultureInvariant);

    private BrokerSpecification(BrokerKind kind, string name) => (Kind, Name) = (kind, name);

    /// <summary>The forms that <see cref="Parse"/> takes, for messages and help.</summary>
    public static string AllowedForms =>
        $"{EmbeddedName}, {EmbeddedName}{NoDelaySuffix}; {string.Join(", ", SingleNames)} (each "
        + $"of these also with {TunedSuffix}; mosquitto also with :tls, :ws or :wss); "
        + $"{string.Join(", ", ComposedNames)}; options: {string.Join(", ", OptionForms)}; {AddressForms}; "
        + $"exec:\"COMMAND {PortPlaceholder}\"; {ClusterPrefix}FILE; mqtt://A,mqtt://B "
        + $"or {ClusterPrefix}mqtt://A+mqtt://B";

    /// <summary>The names of all brokers that can be started, without suffixes.</summary>
    public static IEnumerable<string> Names => Programs.Keys.Prepend(EmbeddedName);

    /// <summary>The names of the brokers that are started as installed, without suffixes.</summary>
    public static IEnumerable<string> InstalledNames => SingleNames.Where(name => !Programs[name].IsHosted());

    /// <summary>The names of the brokers that come with the program that measures, without suffixes.</summary>
    public static IEnumerable<string> HostedNames => Names.Except(InstalledNames).Except(ComposedNames);

    /// <summary>The names of the brokers that consist of several programs.</summary>
    public static IEnumerable<string> ComposedNames => Programs.Keys.Where(name => Programs[name].IsComposed());

    /// <summary>The settings that names may carry, each as <c>mosquitto:autosave=TIME</c>.</summary>
    public static IEnumerable<string> OptionForms =>
        Options.Select(setting => $"{Programs.First(program => program.Value == setting.Kind).Key}:{setting.Form}");

    /// <summary>These settings, in the same order.</summary>
    public static IReadOnlyList<BrokerSetting> Options => BrokerSettings.All;

    private static IEnumerable<string> SingleNames => Programs.Keys.Where(name => !Programs[name].IsComposed());

    /// <summary>The help of options: the forms that a user may give, and the broker that each form starts.</summary>
    public static string Help =>
        $"{EmbeddedName} (starts one; {EmbeddedName}{NoDelaySuffix} answers at once), "
        + "mqttnet (starts MQTTnet's server; nothing to install), "
        + "mosquitto (starts the installed program with the settings a user gets by default), "
        + "mosquitto:tuned (no delay, no limits), "
        + "mosquitto:tls, mosquitto:ws, mosquitto:wss (over TLS, WebSocket, both), "
        + $"options such as mosquitto:autosave=1s ({string.Join(", ", OptionForms)}), "
        + "mqtt://HOST:PORT for a running one, mqtts://, ws:// and wss:// likewise, "
        + $"exec:\"COMMAND {PortPlaceholder}\" for a program of yours, "
        + $"{ClusterPrefix}FILE for a cluster that is started, or mqtt://A,mqtt://B for one that runs "
        + $"(in a list of brokers {ClusterPrefix}mqtt://A+mqtt://B).";

    /// <summary>
    /// Splits a list at the commas before a broker; commas inside a delay law or a command line stay.
    /// </summary>
    /// <param name="list">
    /// The brokers, each in a form that <see cref="Parse"/> takes or with more behind a colon.
    /// </param>
    public static IEnumerable<string> SplitList(string list) =>
        Separator.Split(list).Select(name => name.Trim()).Where(name => name.Length > 0);

    /// <summary>
    /// The broker and the delay law of an entry: <c>embedded:LAW</c> is the embedded broker with its own delay.
    /// </summary>
    /// <param name="entry">An entry of a list.</param>
    /// <returns>The broker, and the law or null.</returns>
    public static (string Broker, string? Delay) SplitDelay(string entry)
    {
        const string prefix = EmbeddedName + ":";
        return entry != EmbeddedName + NoDelaySuffix && entry.StartsWith(prefix, StringComparison.Ordinal)
            ? (EmbeddedName, entry[prefix.Length..])
            : (entry, null);
    }

    /// <summary>The kind of the broker.</summary>
    public BrokerKind Kind { get; }

    /// <summary>
    /// The broker in its normal form, for example <c>mosquitto:tuned</c> or <c>mqtt://localhost:1883</c>, without the
    /// query of an address, which may hold a secret.
    /// </summary>
    public string Name { get; }

    /// <summary>Whether the embedded broker is to answer at once, whatever delay law applies otherwise.</summary>
    public bool IsWithoutDelay { get; private init; }

    /// <summary>Whether a broker gets settings for throughput instead of those a user gets by default.</summary>
    public bool IsTuned { get; private init; }

    /// <summary>The settings that the user gave, by name (<see cref="BrokerSettings"/>). Default none.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; private init; } = BrokerSettings.None;

    /// <summary>
    /// Whether a broker that its own default keeps in memory is to keep sessions and messages on disk, as the
    /// configuration of its package has it. Default no.
    /// </summary>
    public bool IsKept { get; init; }

    /// <summary>The transport of MQTT to a running or installed broker.</summary>
    public BrokerTransport Transport { get; private init; }

    /// <summary>The path of the WebSocket of a running broker, with its query; otherwise empty.</summary>
    public string Path { get; private init; } = "";

    /// <summary>The host of a running broker, otherwise empty.</summary>
    public string Host { get; private init; } = "";

    /// <summary>
    /// The host that may be another machine, as far as the text says it without a question to a name server; else null.
    /// </summary>
    public string? Elsewhere =>
        Nodes.Select(node => node.Elsewhere).FirstOrDefault(host => host is not null)
        ?? (Host.Length == 0 || IsHere(Host) ? null : Host);

    /// <summary>The port of a running broker, otherwise 0.</summary>
    public int Port { get; private init; }

    /// <summary>The words of a command line, with <see cref="PortPlaceholder"/> in them; otherwise empty.</summary>
    public IReadOnlyList<string> Command { get; private init; } = [];

    /// <summary>The file or the built-in name of a cluster that is to be started; otherwise empty.</summary>
    public string Topology { get; private init; } = "";

    /// <summary>The nodes of a cluster that runs; otherwise empty.</summary>
    public IReadOnlyList<BrokerSpecification> Nodes { get; private init; } = [];

    /// <summary>Reads a broker's name.</summary>
    /// <param name="text">One of <see cref="AllowedForms"/>.</param>
    /// <exception cref="InputException">It is none of them. The message shows no credentials.</exception>
    public static BrokerSpecification Parse(string text)
    {
        text = text.Trim();
        if (text.StartsWith(ClusterPrefix, StringComparison.Ordinal))
            return ParseCluster(text[ClusterPrefix.Length..]);
        if (text.Contains("://", StringComparison.Ordinal))
            return ParseAddresses(text);
        if (text.StartsWith("exec:", StringComparison.Ordinal))
            return ParseCommand(text["exec:".Length..]);
        if (text is EmbeddedName or EmbeddedName + NoDelaySuffix)
            return new BrokerSpecification(BrokerKind.Embedded, text) { IsWithoutDelay = text != EmbeddedName };
        return ParseProgram(text);
    }

    /// <summary>
    /// An address that is safe to show: the part before <c>@</c> and the query are removed, because they may hold
    /// secrets.
    /// </summary>
    /// <param name="text">Any text; without <c>://</c> it is returned as it is.</param>
    public static string Redact(string text)
    {
        var start = text.IndexOf("://", StringComparison.Ordinal) + 3;
        if (start < 3)
            return text;
        var at = text.LastIndexOf('@');
        if (at > start)
            text = text[..start] + "..." + text[at..];
        var query = text.IndexOf('?', start);
        return query < 0 ? text : text[..query] + "?...";
    }

    // A name of this machine is looked up later, and refused where it leads elsewhere.
    private static bool IsHere(string host) =>
        IPAddress.TryParse(host, out var address)
            ? IPAddress.IsLoopback(address)
            : host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
                || host.EndsWith(".localhost", StringComparison.OrdinalIgnoreCase)
                || host.Equals(Environment.MachineName, StringComparison.OrdinalIgnoreCase);

    /// <summary>The normal form.</summary>
    public override string ToString() => Name;

    private static BrokerSpecification ParseProgram(string text)
    {
        var words = text.Split(':');
        var suffixes = words.Skip(1).Where(word => !word.Contains('=')).Select(word => ":" + word).ToList();
        var transports = suffixes.Select(BrokerTransports.OfSuffix).OfType<BrokerTransport>().ToList();
        var isTuned = suffixes.Contains(TunedSuffix);
        if (
            !Programs.TryGetValue(words[0], out var kind)
            || suffixes.Count != transports.Count + (isTuned ? 1 : 0)
            || transports.Count > 1
            || (transports.Count > 0 && kind != BrokerKind.Mosquitto)
            || (isTuned && kind.IsComposed())
        )
        {
            // A list is not divided at a name that is none.
            var wrong = text.Split(',', ':').FirstOrDefault(word => !Names.Contains(word)) ?? text;
            throw new InputException(
                $"Broker '{text}' is unknown; allowed: {AllowedForms}"
                    + (NearestName.Meant(wrong, Names) is { Length: > 0 } meant ? meant : ".")
            );
        }
        var transport = transports.FirstOrDefault();
        var settings = BrokerSettings.Read(kind, text, words.Skip(1).Where(word => word.Contains('=')));
        var name = words[0] + (isTuned ? TunedSuffix : "") + transport.Suffix() + BrokerSettings.Suffix(settings);
        return new BrokerSpecification(kind, name)
        {
            IsTuned = isTuned,
            Transport = transport,
            Settings = settings,
        };
    }

    private static BrokerSpecification ParseCluster(string file)
    {
        if (file.Contains("://", StringComparison.Ordinal))
        {
            var addresses = NodeSeparator.Split(file);
            return addresses.Length > 1
                ? Several(addresses, ClusterPrefix, '+')
                : throw new InputException(
                    $"Broker '{ClusterPrefix}{Redact(file)}' names one broker; allowed: several with + between them, "
                        + $"such as {ClusterPrefix}mqtt://A+mqtt://B, or the address alone."
                );
        }
        return file.Length > 0
            ? new BrokerSpecification(BrokerKind.Cluster, ClusterPrefix + file) { Topology = file }
            : throw new InputException(
                $"Broker '{ClusterPrefix}' names no cluster; allowed: {ClusterPrefix}FILE, with the path of a topology "
                    + $"or the name of a built-in one, such as bridge-pair; {ClusterPrefix}mqtt://A+mqtt://B."
            );
    }

    private static BrokerSpecification ParseAddresses(string text)
    {
        string[] addresses = [.. SplitList(text)];
        return addresses.Length < 2 ? ParseAddress(text) : Several(addresses, "", ',');
    }

    private static BrokerSpecification Several(IEnumerable<string> addresses, string prefix, char separator)
    {
        BrokerSpecification[] nodes = [.. addresses.Select(ParseAddress)];
        return new BrokerSpecification(
            BrokerKind.Cluster,
            prefix + string.Join(separator, nodes.Select(node => node.Name))
        )
        {
            Nodes = nodes,
        };
    }

    private static BrokerSpecification ParseAddress(string text)
    {
        var shown = Redact(text);
        if (text.Split('?')[0].Contains('@', StringComparison.Ordinal))
        {
            throw new InputException(
                $"Broker address '{shown}' holds credentials; give user name and password by "
                    + "their own options, by environment or by file, so that they reach no log."
            );
        }
        if (
            BrokerTransports.OfScheme(text[..text.IndexOf("://", StringComparison.Ordinal)]) is not { } transport
            || !Uri.TryCreate(text, UriKind.Absolute, out var address)
            || address.Host.Length == 0
            || address.Port == 0
            || address.Fragment.Length > 0
            || (!transport.IsWebSocket() && address.PathAndQuery is not ("" or "/"))
        )
        {
            throw new InputException(
                $"Broker address '{shown}' is not understood; allowed: {AddressForms} with port 1 .. 65535."
            );
        }
        var port = address.Port < 0 ? transport.DefaultPort() : address.Port;
        var path =
            !transport.IsWebSocket() ? ""
            : address.PathAndQuery is "" or "/" && !text.EndsWith('/') ? DefaultPath
            : address.PathAndQuery;
        // The query may hold a token.
        var name = string.Create(
            CultureInfo.InvariantCulture,
            $"{transport.Scheme()}://{address.Host}:{port}{path.Split('?')[0]}"
        );
        return new BrokerSpecification(BrokerKind.Running, name)
        {
            Host = address.DnsSafeHost,
            Port = port,
            Transport = transport,
            Path = path,
        };
    }

    private static BrokerSpecification ParseCommand(string text)
    {
        // The shell removes the quotes of a command line; in a file they stay.
        var line = text.Trim();
        if (line.Length >= 2 && line[0] == '"' && line.IndexOf('"', 1) == line.Length - 1)
            line = line[1..^1];
        if (!ShellWords.TrySplit(line, out var words))
            throw new InputException($"Command '{line}' has a quote that is not closed; allowed: quotes in pairs.");
        if (words.Count == 0 || !words.Any(word => word.Contains(PortPlaceholder, StringComparison.Ordinal)))
        {
            throw new InputException(
                $"Command '{line}' does not say where the port goes; allowed: exec:\"COMMAND "
                    + $"{PortPlaceholder}\", where {PortPlaceholder} becomes a free port on 127.0.0.1."
            );
        }
        return new BrokerSpecification(BrokerKind.Command, $"exec:{line}") { Command = words };
    }
}
