using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Tests.Generation;

/// <summary>What of a scenario depends on time, told from its lines alone.</summary>
internal sealed class WaitingScenario
{
    private readonly Dictionary<int, ConnectCommand> _connected = [];
    private readonly Dictionary<int, ConnectCommand> _absent = [];
    private readonly Dictionary<int, int> _left = [];
    private readonly Dictionary<int, int> _sent = [];
    private readonly Dictionary<int, int> _kept = [];
    private readonly Dictionary<int, HashSet<string>> _filters = [];
    private readonly Dictionary<int, int> _queued = [];
    private readonly Dictionary<string, int> _retained = [];
    private readonly List<string> _wills = [];

    public WaitingScenario(Scenario scenario)
    {
        Scenario = scenario;
        foreach (var step in scenario.Steps)
            Do(step.Client, step.Command);
    }

    public Scenario Scenario { get; }

    public int Waited { get; private set; }

    /// <summary>Whether some wait fell into an interval.</summary>
    public bool HasInterval { get; private set; }

    public Situations Situations { get; private set; }

    private void Do(int client, Command command)
    {
        // Whose line a wait is does nothing.
        if (command is not (WaitCommand or HoldCommand { Withhold: true }))
            _sent[client] = Waited;
        switch (command)
        {
            case WaitCommand wait:
                Wait(wait.Milliseconds);
                break;
            case ConnectCommand connect:
                End(client, withWill: true);
                Connect(client, connect);
                break;
            case DropCommand:
                End(client, withWill: true);
                break;
            case DisconnectCommand disconnect:
                End(client, disconnect.WithWill);
                break;
            case SubscribeCommand subscribe:
                foreach (
                    var request in subscribe.Requests.Where(request =>
                        !request.Filter.StartsWith("$share/", StringComparison.Ordinal)
                    )
                )
                {
                    _filters[client].Add(request.Filter);
                    if (_retained.Any(entry => entry.Value < Waited && TopicFilter.Matches(request.Filter, entry.Key)))
                        Situations |= Situations.RetainedMessage;
                }
                break;
            case UnsubscribeCommand unsubscribe:
                _filters[client].ExceptWith(unsubscribe.Filters);
                break;
            case PublishCommand publish:
                Publish(publish);
                if (publish.Cut == PublishCut.AfterPubrel)
                    End(client, withWill: true);
                break;
        }
    }

    private void Wait(int milliseconds)
    {
        HasInterval |=
            _connected.Values.Any(connect => connect.KeepAliveSeconds > 0)
            || _absent.Count > 0
            || _queued.Count > 0
            || _retained.Count > 0
            || _wills.Count > 0;
        if (_wills.Exists(topic => _connected.Keys.Any(client => Takes(client, topic))))
            Situations |= Situations.DelayedWill;
        _wills.Clear();
        foreach (var (client, connect) in _connected.Where(entry => entry.Value.KeepAliveSeconds > 0).ToList())
        {
            var silence = Waited + milliseconds - _sent.GetValueOrDefault(client);
            if (silence >= 1500)
            {
                Situations |= Situations.Silence;
                End(client, withWill: true);
            }
            else if ((_kept[client] += milliseconds) >= 1500)
            {
                Situations |= Situations.KeptAlive;
            }
        }
        Waited += milliseconds;
    }

    private void Connect(int client, ConnectCommand connect)
    {
        if (!connect.Clean)
        {
            if (_queued.TryGetValue(client, out var since) && since < Waited)
                Situations |= Situations.QueuedMessage;
            if (
                _absent.TryGetValue(client, out var former)
                && former.SessionExpirySeconds == 1
                && Waited - _left[client] >= 3000
            )
                Situations |= Situations.SessionExpiry;
        }
        else
        {
            _filters[client] = [];
        }
        _queued.Remove(client);
        _absent.Remove(client);
        _connected[client] = connect;
        _kept[client] = 0;
        _filters.TryAdd(client, []);
    }

    private void End(int client, bool withWill)
    {
        if (!_connected.Remove(client, out var connect))
            return;
        if (connect.SessionExpirySeconds is not > 0)
            return;
        (_absent[client], _left[client]) = (connect, Waited);
        if (withWill && connect is { WillTopic: { } topic, WillDelaySeconds: > 0 })
            _wills.Add(topic);
    }

    private void Publish(PublishCommand publish)
    {
        if (publish.Retain)
            _retained.Remove(publish.Topic);
        if (publish.ExpirySeconds is null)
            return;
        if (publish is { Retain: true, Empty: false })
            _retained[publish.Topic] = Waited;
        if (publish.Qos == QualityOfService.AtMostOnce)
            return;
        foreach (var client in _absent.Keys.Where(client => Takes(client, publish.Topic)))
            _queued.TryAdd(client, Waited);
    }

    private bool Takes(int client, string topic) => _filters[client].Any(filter => TopicFilter.Matches(filter, topic));
}
