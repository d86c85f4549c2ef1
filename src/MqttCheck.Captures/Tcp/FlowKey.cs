using MqttCheck.Captures.Files;

namespace MqttCheck.Captures.Tcp;

/// <summary>The two ends of a connection in a fixed order.</summary>
/// <param name="First">Side 0.</param>
/// <param name="Second">Side 1.</param>
internal readonly record struct FlowKey(SocketKey First, SocketKey Second)
{
    /// <summary>The connection that a segment belongs to.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="side">The side that sent it.</param>
    public static FlowKey Of(in TcpSegment segment, out int side) => Of(segment.Source, segment.Destination, out side);

    /// <summary>The connection between two ends.</summary>
    /// <param name="source">The sender.</param>
    /// <param name="destination">The receiver.</param>
    /// <param name="side">The side of the sender.</param>
    public static FlowKey Of(SocketKey source, SocketKey destination, out int side)
    {
        side =
            source.Port > destination.Port || (source.Port == destination.Port && source.Address > destination.Address)
                ? 0
                : 1;
        return side == 0 ? new(source, destination) : new(destination, source);
    }

    /// <summary>An end.</summary>
    /// <param name="side">0 or 1.</param>
    public SocketKey this[int side] => side == 0 ? First : Second;

    /// <inheritdoc/>
    public override int GetHashCode() => First.GetHashCode() * 31 + Second.GetHashCode();
}
