using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Monitors.Retained;

/// <summary>
/// I10: the retained message of a topic is a register. Whoever publishes one writes it, and whoever subscribes reads
/// it. It is linearizable where all nodes have one memory. It converges where each has its own: when nobody has written
/// for some time, all nodes give the last value, or one of the last that were written at one time.
/// </summary>
/// <remarks>
/// Events of retained messages have <see cref="ClusterEvent.IsRetained"/>. A subscription with it, and a delivery, has
/// the time at which it was asked for in <see cref="ClusterEvent.Value"/>.
/// </remarks>
/// <param name="topology">The cluster, whose system promises the one, the other or neither.</param>
/// <param name="reaches">
/// Whether a topic that is published at the first node reaches the second one; null where all reach all.
/// </param>
/// <param name="time">The words for a time.</param>
/// <param name="decides">
/// Whether the monitor judges what was promised; otherwise it reports nodes that differ without a promise.
/// </param>
internal sealed class RegisterMonitor(
    Topology topology,
    Func<int, int, string, bool>? reaches,
    Func<long, string> time,
    bool decides
) : ClusterMonitor
{
    /// <summary>How long after the last write all nodes have its value: 2 s.</summary>
    internal const long BoundNanoseconds = 2_000_000_000;

    // Nobody knows what the brokers of a user promise. Other brokers at bridges have memories of their own.
    private readonly bool _converges =
        topology.System.Has(SystemTraits.RetainedConverges)
        && topology.Nodes.All(node => node is { Broker: BridgePeer.Mosquitto, Address: null, Command: null });

    private readonly bool _isLinearizable = topology.System.Has(SystemTraits.RetainedLinearizable);
    private readonly SortedDictionary<string, Register> _registers = new(StringComparer.Ordinal);
    private readonly SortedDictionary<int, ClusterEvent> _asked = [];
    private readonly Dictionary<long, (string Topic, int Place, int Number)> _writes = [];
    private bool _hasFaults;

    // Messages that all nodes have in one memory are gone with it.
    private bool _hasLostMemory;

    /// <inheritdoc/>
    public override string Name => "retained";

    /// <inheritdoc/>
    public override bool Decides => decides;

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        _hasFaults |= clusterEvent.Kind == ClusterEventKind.FaultBegan;
        _hasLostMemory |= clusterEvent.EndsProcess && topology.Nodes[clusterEvent.Node].Kind != NodeKind.Broker;
        if (!clusterEvent.IsRetained)
            return;
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Published:
                var target = RegisterOf(clusterEvent.Topic);
                var (operations, number) = (target.Operations, ++target.Writes);
                _writes[clusterEvent.Message] = (clusterEvent.Topic, operations.Count, number);
                operations.Add(
                    new(
                        true,
                        clusterEvent.Message,
                        clusterEvent.Nanoseconds,
                        RegisterOperation.Never,
                        clusterEvent.Node
                    )
                );
                break;
            case ClusterEventKind.Acknowledged when _writes.TryGetValue(clusterEvent.Message, out var write):
                var written = RegisterOf(write.Topic).Operations;
                written[write.Place] = written[write.Place] with { Returned = clusterEvent.Nanoseconds };
                break;
            case ClusterEventKind.Subscribed:
                _asked[clusterEvent.Node] = clusterEvent;
                break;
            // Bridges may rename a topic, and then nobody knows what was written.
            case ClusterEventKind.Delivered when _registers.TryGetValue(clusterEvent.Topic, out var register):
                var read = new RegisterOperation(
                    false,
                    clusterEvent.Message,
                    clusterEvent.Value,
                    clusterEvent.Nanoseconds,
                    clusterEvent.Node
                );
                register.Operations.Add(read);
                register.Latest[clusterEvent.Node] = read;
                break;
        }
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var (topic, register) in _registers)
        {
            if (_isLinearizable && !_hasLostMemory)
            {
                if (decides)
                    JudgeEach(topic, register, nanoseconds);
            }
            // A node that was away may still be catching up.
            else if ((_converges && !_hasFaults) == decides)
            {
                JudgeLast(topic, register);
            }
        }
    }

    private void JudgeEach(string topic, Register register, long end)
    {
        // A node that was asked and did not answer has given nothing, so far as anybody waited.
        var operations = register
            .Operations.Concat(
                Silent(topic, register)
                    .Select(asked => new RegisterOperation(
                        false,
                        RegisterOperation.Nothing,
                        asked.Value,
                        end,
                        asked.Node
                    ))
            )
            .ToList();
        var (isLinearizable, shown) = RegisterJudge.Judge(operations);
        if (isLinearizable == false)
            Report(
                operations[shown].Returned,
                $"no order explains what was read of the retained message of {topic}: "
                    + string.Join("; ", RegisterJudge.Shortest(operations, shown).Select(Told))
            );
    }

    // The last write is the one that no other one follows; writes at one time may each be the last.
    private void JudgeLast(string topic, Register register)
    {
        var nodes = register.Latest;
        var silent = Silent(topic, register).Select(asked => asked.Node).ToList();
        var values = nodes.Values.Select(read => read.Value).Distinct().ToList();
        var writes = register.Operations.Where(one => one.IsWrite).ToList();
        var last = writes.Where(one => !writes.Exists(other => other.Called > one.Returned)).ToList();
        var isOld = writes.Count > 0 && values.Exists(value => !last.Exists(one => one.Value == value));
        if (values.Count + (silent.Count > 0 ? 1 : 0) < 2 && !isOld)
            return;
        var found = nodes
            .Select(node => $"{ValueOf(node.Value.Value)} at {NameOf(node.Key)}")
            .Concat(silent.Select(node => $"missing at {NameOf(node)}"));
        Report(
            nodes.Values.Select(read => read.Returned).DefaultIfEmpty().Max(),
            $"the retained message of {topic} is {string.Join(", ", found)}"
                + (last.Count > 0 ? $": {string.Join("; ", last.TakeLast(3).Select(Told))}" : "")
        );
    }

    // Nodes that were asked last and gave nothing then, although the topic reaches them.
    private IEnumerable<ClusterEvent> Silent(string topic, Register register)
    {
        var writers = register.Operations.Where(one => one.IsWrite).Select(one => one.Node).Distinct().ToList();
        return _asked.Values.Where(asked =>
            !(register.Latest.TryGetValue(asked.Node, out var read) && read.Called >= asked.Value)
            && TopicFilter.Matches(asked.Topic, topic)
            && (reaches is null || writers.Exists(writer => reaches(writer, asked.Node, topic)))
        );
    }

    private string Told(RegisterOperation operation)
    {
        var answered =
            operation.Returned == RegisterOperation.Never ? "never acknowledged" : $"until {time(operation.Returned)}";
        return $"{time(operation.Called)} {(operation.IsWrite ? "wrote" : "read")} {ValueOf(operation.Value)} at "
            + $"{NameOf(operation.Node)}, {answered}";
    }

    // Values are numbered in the order of their writes to the topic.
    private string ValueOf(long value) =>
        value == RegisterOperation.Nothing ? "nothing"
        : _writes.TryGetValue(value, out var write) ? FormattableString.Invariant($"#{write.Number}")
        : "what nobody wrote";

    private string NameOf(int node) => topology.Nodes[node].Name;

    private Register RegisterOf(string topic) => _registers.GetOrNew(topic);

    private sealed class Register
    {
        public List<RegisterOperation> Operations { get; } = [];

        public int Writes { get; set; }

        public SortedDictionary<int, RegisterOperation> Latest { get; } = [];
    }
}
