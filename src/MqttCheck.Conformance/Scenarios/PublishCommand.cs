using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Sends PUBLISH. The payload is made at run time and tells the message from all others.</summary>
/// <param name="Topic">The symbolic topic.</param>
/// <param name="Qos">The quality of service.</param>
internal sealed record PublishCommand(string Topic, QualityOfService Qos) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Publish;

    /// <summary>The retain flag.</summary>
    public bool Retain { get; init; }

    /// <summary>An empty payload; with RETAIN it deletes the retained message.</summary>
    public bool Empty { get; init; }

    /// <summary>Sets DUP although the identifier is not in use: the message is new all the same.</summary>
    public bool Duplicate { get; init; }

    /// <summary>
    /// MQTT 3.1.1, QoS 1 and 2: sends PUBLISH again, with DUP, before its flow goes on, unless it is cut. MQTT 5
    /// forbids clients to.
    /// </summary>
    public bool Repeat { get; init; }

    /// <summary>
    /// QoS 1 and 2: takes the packet identifier of the exchange that ended last, which is free again; one that was not
    /// used before if there is none.
    /// </summary>
    public bool ReusesIdentifier { get; init; }

    /// <summary>The point at which the publisher stops the exchange.</summary>
    public PublishCut Cut { get; init; }

    /// <summary>
    /// MQTT 5: the topic alias to define, or to use when the topic was sent with it before on this connection; null for
    /// none.
    /// </summary>
    public ushort? Alias { get; init; }

    /// <summary>
    /// MQTT 5: content type, response topic, correlation data and user properties come with the message.
    /// </summary>
    public bool WithProperties { get; init; }

    /// <summary>MQTT 5: the message expiry interval in seconds; null for none.</summary>
    public uint? ExpirySeconds { get; init; }

    /// <summary>How many bytes the payload is filled up to; 0 for the shortest.</summary>
    public int PayloadBytes { get; init; }

    /// <summary>
    /// How many messages are sent, at least 1. They are sent some at a time, and what these cause is waited for before
    /// the next are.
    /// </summary>
    public int Times { get; init; } = 1;
}
