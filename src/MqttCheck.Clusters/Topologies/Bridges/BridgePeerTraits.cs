namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>The traits of a broker that a Mosquitto bridge meets at its far end.</summary>
/// <param name="Name">Its name in the option <c>--broker</c>.</param>
/// <param name="Title">Its name in sentences.</param>
/// <param name="Bit">How it answers the CONNECT of a bridge.</param>
/// <param name="Evidence">How that is known, with its source, as a part of a sentence.</param>
internal sealed record BridgePeerTraits(string Name, string Title, BridgeBitAnswer Bit, string Evidence)
{
    /// <summary>Whether it was tried with the real broker, and not only read.</summary>
    public bool IsTried { get; init; }

    /// <summary>Whether it takes MQTT 5, and with it subscriptions without local messages.</summary>
    public bool TakesVersion5 { get; init; } = true;

    /// <summary>The highest quality of service that it takes.</summary>
    public int MostQos { get; init; } = 2;

    /// <summary>The protection against echoes there, as advice without its full stop.</summary>
    public string Protection { get; init; } = "bridge_protocol_version mqttv50, whose subscriptions ask for no echo";

    /// <summary>How its traits are known, in short.</summary>
    public string Ground => IsTried ? "tried" : "by documentation, not tried";

    /// <summary>Whether it sends back over a bridge's connection what came over it.</summary>
    /// <param name="version">The protocol version of the bridge: 3, 4 or 5.</param>
    /// <param name="triesPrivate">Whether its CONNECT says that a bridge comes.</param>
    public bool Echoes(int version, bool triesPrivate) =>
        version == 5 ? !TakesVersion5 : !triesPrivate || Bit != BridgeBitAnswer.Protects;
}
