using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>Frames, greetings and filters of nodes with a transport, as messages between nodes.</summary>
internal static class TransportMessages
{
    /// <summary>An acknowledgement or a gap request.</summary>
    public const byte Frame = 30;

    /// <summary>Which process a node is.</summary>
    public const byte Hello = 31;

    /// <summary>A node is about to name the filters of its clients; their number is in the first field.</summary>
    public const byte Filters = 32;

    /// <summary>A filter of the node's clients.</summary>
    public const byte FilterBegan = 33;

    /// <summary>A filter that no client of the node has any more.</summary>
    public const byte FilterEnded = 34;

    /// <summary>A frame as a message; data keep their own form.</summary>
    public static PeerMessage Of(in TransportFrame<RoutedMessage> frame)
    {
        if (frame.Kind == TransportFrameKind.Data)
            return PeerMessage.Of(
                frame.Message with
                {
                    HopSequence = frame.Sequence,
                    HopQueueLength = frame.ReceiveQueueLength,
                }
            );
        return PeerMessage.Control(
            Frame,
            new ControlFields
            {
                [0] = (long)frame.Kind,
                [1] = frame.Sequence,
                [2] = frame.Last,
                [3] = frame.ReceiveQueueLength,
            }
        );
    }

    /// <summary>Reads a frame; null for another message.</summary>
    public static TransportFrame<RoutedMessage>? Read(in PeerMessage message)
    {
        if (message.Kind == PeerMessageKind.Data && message.Data.HopSequence > 0)
            return new TransportFrame<RoutedMessage>
            {
                Kind = TransportFrameKind.Data,
                Sequence = message.Data.HopSequence,
                ReceiveQueueLength = message.Data.HopQueueLength,
                Message = message.Data with { HopSequence = 0, HopQueueLength = 0 },
            };
        if (message.Kind != PeerMessageKind.Control || message.ControlKind != Frame)
            return null;
        return new TransportFrame<RoutedMessage>
        {
            Kind = (TransportFrameKind)message.Fields[0],
            Sequence = message.Fields[1],
            Last = message.Fields[2],
            ReceiveQueueLength = (int)message.Fields[3],
        };
    }

    /// <summary>Says which process the sender is.</summary>
    /// <param name="incarnation">The process.</param>
    /// <param name="wantsReply">Whether the receiver shall say the same.</param>
    public static PeerMessage OfHello(ulong incarnation, bool wantsReply) =>
        PeerMessage.Control(Hello, new ControlFields { [0] = (long)incarnation, [1] = wantsReply ? 1 : 0 });
}
