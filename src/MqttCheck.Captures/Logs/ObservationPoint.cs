using static System.FormattableString;

namespace MqttCheck.Captures.Logs;

/// <summary>The place where a capture was taken, which decides what its times contain.</summary>
/// <param name="Place">The place in a word: broker, clients, machine, between or unknown.</param>
/// <param name="Meaning">The parts of a time, in words.</param>
/// <param name="ToBrokerMicroseconds">The median way to the broker and back; NaN where no connection began.</param>
/// <param name="ToClientsMicroseconds">The median way to a client and back.</param>
internal sealed record ObservationPoint(
    string Place,
    string Meaning,
    double ToBrokerMicroseconds,
    double ToClientsMicroseconds
)
{
    private const double NearMicroseconds = 500;
    private const double MuchNearer = 4;

    /// <summary>Finds the place by the handshakes of TCP.</summary>
    /// <param name="handshakes">The ways to the broker and to the client, each and back, in nanoseconds.</param>
    public static ObservationPoint Of(IReadOnlyList<(long ToBroker, long ToClient)> handshakes)
    {
        if (handshakes.Count == 0)
            return new(
                "unknown",
                "no connection began in the capture, so nobody knows how much of the network they contain",
                double.NaN,
                double.NaN
            );
        var broker = Median(handshakes.Select(one => one.ToBroker));
        var clients = Median(handshakes.Select(one => one.ToClient));
        var ways = Invariant($"the broker was {broker:0} us away and back, clients {clients:0} us");
        return Math.Max(broker, clients) < NearMicroseconds
                ? new("machine", $"broker and clients were on one machine ({ways})", broker, clients)
            : broker * MuchNearer <= clients
                ? new("broker", $"taken at the broker: they contain its service alone ({ways})", broker, clients)
            : clients * MuchNearer <= broker
                ? new("clients", $"taken at clients: they contain the network too ({ways})", broker, clients)
            : new(
                "between",
                $"taken between broker and clients: they contain a part of the network ({ways})",
                broker,
                clients
            );
    }

    private static double Median(IEnumerable<long> nanoseconds)
    {
        var sorted = nanoseconds.Order().ToList();
        return sorted[sorted.Count / 2] / 1e3;
    }
}
