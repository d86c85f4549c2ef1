namespace MqttCheck.Brokers.Wire;

/// <summary>
/// The MQTT client that carries the requests of the client models. It is the own client, with packets on an event loop
/// of this program, or a client library behind the same interface. Differences between clients are handled here;
/// fleets, loads and campaigns only pass the kind on.
/// </summary>
/// <param name="Name">Its name on the command line.</param>
/// <param name="CreateWire">Makes the event loop whose connections it serves.</param>
public sealed record ClientKind(string Name, Func<WireOptions, IWire> CreateWire)
{
    /// <summary>The own client: requests and answers are stamped at the socket.</summary>
    public static ClientKind Own { get; } = new("own", WireFactory.Create);

    /// <summary>The version of the library, or empty for the own client, which has that of the tool.</summary>
    public string Version { get; init; } = "";

    /// <summary>Whether it is the own client.</summary>
    public bool IsOwn => Name == Own.Name;

    /// <summary>
    /// Whether its DISCONNECT can end the session in MQTT 5; otherwise the session is dropped by a clean connect, as in
    /// MQTT 3.1.1. Default yes.
    /// </summary>
    public bool CanDropSessionWhenLeaving { get; init; } = true;

    /// <summary>Why times cannot be stamped by the kernel, or null where they can.</summary>
    public string? WhyNoKernelStamps { get; init; }

    /// <summary>Name and version, as in logs: <c>mqttnet 5.2.0</c>.</summary>
    public override string ToString() => Version.Length == 0 ? Name : $"{Name} {Version}";
}
