using System.Globalization;

namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>The settings of the broker, of one listener or of one bridge, as they are read.</summary>
/// <param name="place">The line that opens it.</param>
/// <param name="name">The name of a bridge, or the host of a listener.</param>
internal sealed class ConfBlock(ConfPlace place, string? name = null)
{
    private readonly Dictionary<string, string> _values = new(StringComparer.Ordinal);

    /// <summary>The line that opens it.</summary>
    public ConfPlace Place => place;

    /// <summary>The name of a bridge, or the host of a listener.</summary>
    public string? Name => name;

    /// <summary>The port of a listener.</summary>
    public int Port { get; init; } = 1883;

    /// <summary>All lines.</summary>
    public List<ConfLine> Lines { get; } = [];

    /// <summary>The remote brokers of a bridge.</summary>
    public List<ConfAddress> Addresses { get; } = [];

    /// <summary>The topics of a bridge.</summary>
    public List<ConfTopic> Topics { get; } = [];

    /// <summary>Whether one of several keys is set.</summary>
    public bool Has(params IEnumerable<string> keys) => keys.Any(_values.ContainsKey);

    /// <summary>Sets a key of today; the last value counts.</summary>
    public void Set(string key, string value) => _values[key] = value;

    /// <summary>The value of a key, or null.</summary>
    public string? Text(string key) => _values.GetValueOrDefault(key);

    /// <summary>The value of a key that is a truth value.</summary>
    public bool Flag(string key, bool otherwise) => Text(key) is { } text ? text == "true" : otherwise;

    /// <summary>The value of a key that is a number, where what is below 0 counts as 0.</summary>
    public int Integer(string key, int otherwise) =>
        Text(key) is { } text ? Math.Max(0, int.Parse(text, CultureInfo.InvariantCulture)) : otherwise;

    /// <summary>The listener of these settings.</summary>
    public ConfListener Listener() =>
        new(Place, Text("bind_address") ?? Name, Integer("port", Port))
        {
            IsTls = Has("certfile", "psk_hint"),
            MountPoint = Text("mount_point") ?? "",
        };

    /// <summary>The bridge of these settings.</summary>
    public ConfBridge Bridge()
    {
        var isClean = Flag("cleansession", false);
        return new()
        {
            Place = Place,
            Name = Name!,
            Addresses = Addresses,
            Topics = Topics,
            Lines = Lines,
            IsCleanSession = isClean,
            IsLocalCleanSession = Flag("local_cleansession", isClean),
            StartType = Text("start_type") ?? "automatic",
            ProtocolVersion = Integer("bridge_protocol_version", 4),
            TriesPrivate = Flag("try_private", true),
            AttemptsUnsubscribe = Flag("bridge_attempt_unsubscribe", true),
            Notifies = Flag("notifications", true),
            RemoteClientId = Text("remote_clientid"),
            LocalClientId = Text("local_clientid"),
            IsTls = Has("bridge_cafile", "bridge_capath", "bridge_psk", "bridge_tls_use_os_certs"),
        };
    }
}
