using MqttCheck.Clusters.Events;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Cases;

/// <summary>
/// The acknowledgements of a client's publications come in the order in which it published (MQTT 3.1.1 and 5, section
/// 4.6), whichever parts of the log the topics are in.
/// </summary>
internal sealed class AcknowledgementOrderMonitor : ClusterMonitor
{
    private readonly Dictionary<long, long> _places = [];
    private readonly Dictionary<int, (long Message, long Place)> _last = [];

    /// <inheritdoc/>
    public override string Name => "order of acknowledgements";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        ref readonly var e = ref clusterEvent;
        if (e.Kind == ClusterEventKind.Published)
            _places[e.Message] = _places.Count;
        else if (e.Kind == ClusterEventKind.Acknowledged && _places.TryGetValue(e.Message, out var place))
        {
            if (_last.TryGetValue(e.Client, out var last) && last.Place > place)
                Report(
                    e.Nanoseconds,
                    Invariant($"message {e.Message} of client {e.Client} was acknowledged after message {last.Message}")
                );
            _last[e.Client] = (e.Message, place);
        }
    }
}
