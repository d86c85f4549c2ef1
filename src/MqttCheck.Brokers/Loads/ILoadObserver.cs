using MqttCheck.Protocol.Frames;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// Is told of every step of a load while it happens, on the run's thread. Nodes are places in
/// <see cref="LoadNodes.Endpoints"/>; times are on the wire's clock.
/// </summary>
internal interface ILoadObserver
{
    /// <summary>Every client is connected, and the times of the load are known.</summary>
    /// <param name="measureStart">When messages begin to count.</param>
    /// <param name="end">When nothing more is due.</param>
    void Began(long measureStart, long end);

    /// <summary>
    /// A message was handed to the socket, at that time or a little later, with a payload of that
    /// <see cref="PayloadPrint"/>.
    /// </summary>
    void Sent(int publisher, int node, long number, long payloadPrint, long atNanoseconds);

    /// <summary>The broker acknowledged a message: PUBACK, or PUBCOMP at QoS 2.</summary>
    void Acknowledged(int publisher, int node, long number, long atNanoseconds);

    /// <summary>A subscription was granted with a QoS, or the session that holds it was taken up again.</summary>
    void Subscribed(int subscriber, int node, bool isResumed, int grantedQos, long atNanoseconds);

    /// <summary>The connection of a subscriber ended.</summary>
    void Disconnected(int subscriber, int node, long atNanoseconds);

    /// <summary>A subscription ended with the connection of its session.</summary>
    void Unsubscribed(int subscriber, int node, long atNanoseconds);

    /// <summary>A client came back to find its persistent session gone, and its subscription with it.</summary>
    void SessionForgotten(int subscriber, int node, long atNanoseconds);

    /// <summary>A client without a session was told that the broker had one of it.</summary>
    void SessionInvented(int subscriber, int node, long atNanoseconds);

    /// <summary>A message came, first or again.</summary>
    void Delivered(int subscriber, int node, int publisher, long number, in PublishView message, long atNanoseconds);

    /// <summary>Something came that no publisher of the load has sent.</summary>
    /// <param name="subscriber">The subscriber that received it.</param>
    /// <param name="node">Its node.</param>
    /// <param name="publisher">The publisher of its topic, or -1.</param>
    /// <param name="message">What came.</param>
    /// <param name="atNanoseconds">When.</param>
    void Strayed(int subscriber, int node, int publisher, in PublishView message, long atNanoseconds);
}
