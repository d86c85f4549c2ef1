using System.Globalization;

namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>All that is known of one configuration while its files are read.</summary>
/// <param name="name">The name of the broker's node.</param>
/// <param name="path">The path of its main file.</param>
internal sealed class ConfReading(string name, string path)
{
    // More findings come of one mistake, such as another file.
    private const int MostShown = 20;

    // These settings of security open no listener where none is asked for.
    private static readonly string[] s_opensNone =
    [
        "acl_file",
        "allow_anonymous",
        "auto_id_prefix",
        "check_retain_source",
    ];

    private readonly List<string> _findings = [];

    /// <summary>All lines, in the order of reading.</summary>
    public List<ConfLine> Lines { get; } = [];

    /// <summary>Those that the followed version of Mosquitto does not have.</summary>
    public List<ConfLine> NewerLines { get; } = [];

    /// <summary>The settings of the broker.</summary>
    public ConfBlock Broker { get; } = new(new(path, 1));

    /// <summary>The listener of settings that stand above every other one.</summary>
    public ConfBlock DefaultListener { get; private set; } = new(new(path, 1));

    /// <summary>The other listeners.</summary>
    public List<ConfBlock> Listeners { get; } = [];

    /// <summary>The bridges.</summary>
    public List<ConfBlock> Bridges { get; } = [];

    /// <summary>Whether a setting of security has been read.</summary>
    public bool HasSecurity { get; set; }

    /// <summary>Notes what is wrong with a line.</summary>
    /// <param name="place">The line.</param>
    /// <param name="what">The key, the value given, what is allowed.</param>
    public void Refuse(ConfPlace place, string what) => _findings.Add($"{place}: {what}");

    /// <summary>The default listener, which the first setting of it opens.</summary>
    public ConfBlock OpenDefaultListener(ConfPlace place) =>
        DefaultListener.Lines.Count > 0 ? DefaultListener : DefaultListener = new(place);

    /// <summary>The configuration.</summary>
    /// <exception cref="InputException">Something is wrong.</exception>
    public MosquittoConf Finish()
    {
        // An error in a line makes others, such as a bridge without an address.
        if (_findings.Count == 0)
            CheckBridges();
        InputException.ThrowIfAny(
            _findings.Count <= MostShown
                ? _findings
                : _findings
                    .Take(MostShown)
                    .Append(
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"{path}: {_findings.Count - MostShown} more findings"
                        )
                    )
        );
        IEnumerable<ConfBlock> opened = DefaultListener.Lines.Exists(line => !s_opensNone.Contains(line.Key))
            ? [.. Listeners, DefaultListener]
            : Listeners;
        IReadOnlyList<ConfListener> listeners = [.. opened.Select(block => block.Listener())];
        return new()
        {
            Name = name,
            File = path,
            Lines = Lines,
            NewerLines = NewerLines,
            Listeners = listeners.Count > 0 ? listeners : [new(Broker.Place, "localhost", Broker.Port)],
            Bridges = [.. Bridges.Select(block => block.Bridge())],
            IsPersistent = Broker.Flag("persistence", false),
            AutosaveSeconds = Broker.Integer("autosave_interval", 1800),
            CountsChanges = Broker.Flag("autosave_on_changes", false),
            MaxQueuedMessages = Broker.Integer("max_queued_messages", 1000),
            QueuesQos0 = Broker.Flag("queue_qos0_messages", false),
        };
    }

    private void CheckBridges()
    {
        foreach (var bridge in Bridges)
        {
            if (bridge.Addresses.Count == 0)
                Refuse(bridge.Place, "connection: it has no address; add a line 'address HOST:PORT' below it");
            if (bridge.Topics.Count == 0)
                Refuse(bridge.Place, "connection: it has no topic; add a line such as 'topic # both 1' below it");
            if (bridge.Has("bridge_psk") != bridge.Has("bridge_identity"))
                Refuse(bridge.Place, "connection: it has only one of bridge_identity and bridge_psk; write both");
        }
        foreach (var twice in Bridges.GroupBy(LocalClientId).Where(group => group.Count() > 1))
            Refuse(
                twice.ElementAt(1).Place,
                $"connection: it has the local client identifier of the connection at {twice.First().Place}; "
                    + "give one of them another local_clientid"
            );
    }

    // The blank stands for the name of the host, which no value begins with.
    private static string LocalClientId(ConfBlock bridge) =>
        bridge.Text("local_clientid") ?? $"local.{bridge.Text("remote_clientid") ?? " ." + bridge.Name}";
}
