using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Interest;

/// <summary>The control messages of routing by interest.</summary>
internal static class InterestMessage
{
    /// <summary>Forget what I told you; with a 1 in the first field, also tell me what you know.</summary>
    public const byte Hello = 10;

    /// <summary>The topic is published on my side of the link.</summary>
    public const byte Advertise = 11;

    /// <summary>The topic is no longer published on my side.</summary>
    public const byte Withdraw = 12;

    /// <summary>The topic is wanted on my side.</summary>
    public const byte Subscribe = 13;

    /// <summary>The topic is no longer wanted on my side.</summary>
    public const byte Unsubscribe = 14;

    /// <summary>The tree has changed somewhere: messages go to every node for a while.</summary>
    public const byte Change = 15;

    /// <summary>I leave: build a tree without me. Until I am gone I carry messages.</summary>
    public const byte Leave = 16;

    public static bool Is(byte controlKind) => controlKind is >= Hello and <= Leave;

    /// <summary>A change of the tree.</summary>
    /// <param name="origin">The node whose neighbours in the tree are others than before.</param>
    /// <param name="incarnation">Its process.</param>
    /// <param name="count">How many changes that process has told.</param>
    public static PeerMessage OfChange(int origin, ulong incarnation, long count) =>
        PeerMessage.Control(
            Change,
            new ControlFields
            {
                [0] = origin,
                [1] = unchecked((long)incarnation),
                [2] = count,
            }
        );

    /// <summary>Reads what <see cref="OfChange"/> writes.</summary>
    public static (int Origin, ulong Incarnation, long Count) ChangeOf(in PeerMessage message)
    {
        var fields = message.Fields;
        return ((int)fields[0], unchecked((ulong)fields[1]), fields[2]);
    }

    public static PeerMessage OfHello(bool wantsReply) =>
        PeerMessage.Control(Hello, new ControlFields { [0] = wantsReply ? 1 : 0 });

    /// <summary>
    /// An advertisement behind which a publication comes: it is to follow the advertisement everywhere.
    /// </summary>
    public static PeerMessage Carrying(in RoutedMessage publication) =>
        PeerMessage.Control(
            Advertise,
            new ControlFields
            {
                [0] = 1,
                [1] = publication.Origin,
                [2] = unchecked((long)publication.Incarnation),
                [3] = publication.Counter,
            },
            publication.Topic
        );

    /// <summary>Whether a publication follows an advertisement, and which one.</summary>
    public static bool TryCarried(in PeerMessage message, out MessageIdentity carried)
    {
        var fields = message.Fields;
        carried = new MessageIdentity((int)fields[1], unchecked((ulong)fields[2]), fields[3]);
        return fields[0] == 1;
    }
}
