namespace MqttCheck.Brokers.Processes.Settings;

/// <summary>The settings of brokers that a name may carry, and the values that a user gave.</summary>
internal static class BrokerSettings
{
    /// <summary>How often Mosquitto writes its messages to its file.</summary>
    public const string Autosave = "autosave";

    /// <summary>Whether Redis appends every change to a file.</summary>
    public const string AppendOnly = "appendonly";

    /// <summary>When Redis syncs that file.</summary>
    public const string AppendFsync = "appendfsync";

    /// <summary>The type of the queues of RabbitMQ that hold sessions.</summary>
    public const string Queue = "queue";

    /// <summary>When the JetStream of NATS syncs its files.</summary>
    public const string Sync = "sync";

    /// <summary>The value of a setting that is on.</summary>
    public const string Yes = "yes";

    /// <summary>The value of a setting that is off.</summary>
    public const string No = "no";

    /// <summary>No setting.</summary>
    public static IReadOnlyDictionary<string, string> None { get; } = new Dictionary<string, string>();

    /// <summary>All settings.</summary>
    public static IReadOnlyList<BrokerSetting> All { get; } =
    [
        new()
        {
            Kind = BrokerKind.Mosquitto,
            Name = Autosave,
            Values = SettingTime.Word,
            Default = "nothing is kept; in 'cluster run' 30min",
            Effect = "keeps sessions and messages in a file that is written so often",
            Cost = "each time everything is written, and nobody is served meanwhile",
        },
        new()
        {
            Kind = BrokerKind.AedesRedis,
            Name = AppendOnly,
            Values = $"{Yes}|{No}",
            Default = $"{No}; {Yes} in a topology",
            Effect = $"appends each change to a file; {No}: snapshots some minutes apart",
            Cost = "a write to the file for each change",
        },
        new()
        {
            Kind = BrokerKind.AedesRedis,
            Name = AppendFsync,
            Values = "always|everysec|no",
            Default = "everysec",
            Effect = $"when that file is synced; includes {AppendOnly}={Yes}",
            Cost = "always: an answer waits for the disk",
        },
        new()
        {
            Kind = BrokerKind.RabbitMq,
            Name = Queue,
            Values = "classic|quorum",
            Default = "classic",
            Effect = "the type of the queues that hold sessions; quorum: each change is agreed and synced",
            Cost = "quorum: an answer waits for the disk of most nodes",
            Since = new(3, 10),
            Before = "has classic queues only",
        },
        new()
        {
            Kind = BrokerKind.Nats,
            Name = Sync,
            Values = $"always|{SettingTime.Word}",
            Default = "2min",
            Effect = "how often JetStream syncs its files (sync_interval)",
            Cost = "always: an answer waits for the disk",
            Since = new(2, 10),
            Before = "has no sync_interval and syncs its files every 2 minutes",
        },
    ];

    /// <summary>The forms of a broker's settings.</summary>
    /// <param name="kind">The broker.</param>
    public static IEnumerable<string> FormsOf(BrokerKind kind) =>
        All.Where(setting => setting.Kind == kind).Select(setting => setting.Form);

    /// <summary>Reads the settings of a broker.</summary>
    /// <param name="kind">The broker.</param>
    /// <param name="given">The broker as the user named it, for messages.</param>
    /// <param name="words">The settings, each as <c>name=value</c>.</param>
    /// <exception cref="InputException">There is no such setting or value, or it is given twice.</exception>
    public static IReadOnlyDictionary<string, string> Read(BrokerKind kind, string given, IEnumerable<string> words)
    {
        var settings = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var word in words)
        {
            var equals = word.IndexOf('=', StringComparison.Ordinal);
            var (name, value) = equals < 0 ? (word, "") : (word[..equals], word[(equals + 1)..]);
            if (All.FirstOrDefault(setting => setting.Kind == kind && setting.Name == name) is not { } setting)
                throw new InputException(
                    $"Broker '{given}': there is no option '{name}'; allowed: "
                        + (
                            FormsOf(kind).Any()
                                ? string.Join(", ", FormsOf(kind))
                                : "none, for this broker has no options with a value"
                        )
                        + "."
                );
            if (!setting.Allows(value))
                throw new InputException($"Broker '{given}': {name} is '{value}'; allowed: {Allowed(setting)}.");
            if (!settings.TryAdd(name, value))
                throw new InputException($"Broker '{given}': {name} is given twice; allowed: each option once.");
        }
        if (settings.GetValueOrDefault(AppendOnly) == No && settings.TryGetValue(AppendFsync, out var sync))
            throw new InputException(
                $"Broker '{given}': {AppendOnly}={No} has no file that {AppendFsync}={sync} could sync; allowed: one "
                    + "of both."
            );
        return settings;
    }

    /// <summary>Refuses settings that the installed version does not have.</summary>
    /// <param name="kind">The broker.</param>
    /// <param name="name">The broker as the user named it.</param>
    /// <param name="version">The installed version, or <c>unknown</c>.</param>
    /// <param name="settings">The values that the user gave, by name.</param>
    /// <exception cref="InputException">There is such a setting.</exception>
    public static void RequireVersion(
        BrokerKind kind,
        string name,
        string version,
        IReadOnlyDictionary<string, string> settings
    )
    {
        var digits = new string([.. version.TakeWhile(letter => char.IsAsciiDigit(letter) || letter == '.')]);
        if (!Version.TryParse(digits, out var installed))
            return;
        foreach (var setting in All.Where(setting => setting.Kind == kind && settings.ContainsKey(setting.Name)))
            if (setting.Since is { } since && installed < since)
                throw new InputException(
                    $"Broker {name}: the installed version {version} {setting.Before}; {setting.Name} came with "
                        + $"{since}. Allowed: a newer version, or no {setting.Name}."
                );
    }

    /// <summary>The end of a broker's name: a colon and <c>name=value</c> for each setting.</summary>
    /// <param name="settings">The values, by name.</param>
    public static string Suffix(IReadOnlyDictionary<string, string> settings) =>
        string.Concat(settings.Select(setting => $":{setting.Key}={setting.Value}"));

    /// <summary>The word for settings in results: default, tuned or changed.</summary>
    /// <param name="isTuned">Whether they are those for throughput.</param>
    /// <param name="settings">The values that a user gave, by name.</param>
    public static string Word(bool isTuned, IReadOnlyDictionary<string, string> settings) =>
        isTuned ? "tuned"
        : settings.Count > 0 ? "changed"
        : "default";

    private static string Allowed(BrokerSetting setting) =>
        string.Join(
            ", ",
            setting
                .Values.Split('|')
                .Select(value => value == SettingTime.Word ? "a time such as 1s or 5min, up to 24h" : value)
        );
}
