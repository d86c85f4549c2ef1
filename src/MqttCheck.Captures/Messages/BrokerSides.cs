using MqttCheck.Captures.Files;

namespace MqttCheck.Captures.Messages;

/// <summary>Knows which ends of connections are brokers.</summary>
/// <param name="ports">The ports of the broker that are read; empty for those that are found.</param>
/// <param name="addresses">The addresses of the broker that are read; empty for those that are found.</param>
internal sealed class BrokerSides(IReadOnlyCollection<int> ports, IReadOnlyCollection<UInt128> addresses)
{
    private const int Plain = 1883;

    private readonly HashSet<SocketKey> _known = [];

    /// <summary>Whether an end may be the broker's that is to be read.</summary>
    public bool IsWanted(SocketKey end) =>
        (ports.Count == 0 || ports.Contains(end.Port)) && (addresses.Count == 0 || addresses.Contains(end.Address));

    /// <summary>An end turned out to be a broker's.</summary>
    public void Learn(SocketKey end) => _known.Add(end);

    /// <summary>The side of the client, negative where that is not known.</summary>
    /// <param name="first">Side 0.</param>
    /// <param name="second">Side 1.</param>
    public int ClientOf(SocketKey first, SocketKey second)
    {
        var (isFirst, isSecond) = (IsBroker(first), IsBroker(second));
        return isFirst == isSecond ? -1
            : isFirst ? 1
            : 0;
    }

    private bool IsBroker(SocketKey end) =>
        _known.Contains(end) || (ports.Count > 0 ? ports.Contains(end.Port) : end.Port == Plain);
}
