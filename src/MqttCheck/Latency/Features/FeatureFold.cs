using System.Numerics;
using System.Runtime.InteropServices;
using MqttCheck.Clients;
using MqttCheck.Latency.Nagle;
using MqttCheck.Protocol;

namespace MqttCheck.Latency.Features;

/// <summary>
/// The one fold over start and end events that computes <see cref="ExchangeFeatures"/>: the live fleet, the replay of a
/// log and the simulator all use it, so a feature means the same thing in training and in prediction.
/// </summary>
/// <remarks>
/// Calls come in order of time. A subscription counts from its SUBACK until its UNSUBSCRIBE is sent; a client is online
/// from its CONNACK until its DISCONNECT is sent; a clean connect drops the client's subscriptions when it is sent. Not
/// thread-safe.
/// </remarks>
internal sealed class FeatureFold
{
    /// <summary>How far back <see cref="ExchangeFeatures.RecentActivity"/> looks, in milliseconds.</summary>
    public const double RecentMilliseconds = 40;

    /// <summary>
    /// The number of clients online at which <see cref="ExchangeFeatures.RecentActivity"/> is that of one client.
    /// </summary>
    public const int RecentClients = 50;

    private readonly int[] _onlineSubscribers;
    private readonly ulong[] _subscribed;

    // For each topic, one bit for each client that is online and subscribed; empty unless withheld acknowledgements are
    // tracked.
    private readonly uint[] _receivers;
    private readonly bool[] _online;

    // The subscribed clients online, for each share and topic; null if nobody subscribes in a share.
    private readonly IReadOnlyList<int>? _shares;
    private readonly int[] _members = [];
    private readonly Dictionary<int, IReadOnlyList<int>>? _filters;
    private readonly int _words,
        _receiverWords;
    private readonly DelayedAcks? _acknowledgements;
    private readonly List<DelayedAckReceiver> _withholding = [];
    private KindCounts _open;
    private int _active,
        _openDeliveries,
        _onlineClients,
        _totalSubscriptions;

    // A ring of completion times within the last 40 ms; grows when more completions fall into the window.
    private double[] _recent = new double[16];
    private int _recentHead,
        _recentCount;

    // Both depend only on the number of clients online: the weight of a completion, and the largest contribution of the
    // other clients.
    private double _recentPerCompletion,
        _recentOfOthers;

    /// <summary>A fold with nobody online and nothing open.</summary>
    /// <param name="clients">The number of clients, at least 1.</param>
    /// <param name="topics">The number of topics, at least 1.</param>
    /// <param name="withheld">
    /// Whether <see cref="ExchangeFeatures.Withheld"/> is wanted. It is the one feature that costs time for every
    /// receiver of a publication; without, it is 0.
    /// </param>
    /// <param name="shares">
    /// The share in which each client subscribes, -1 for none; null where none does. A share is one subscriber, since
    /// one of its members has each message. Which of them is not known, so none of them counts as withholding.
    /// </param>
    /// <param name="filters">The topics of the numbers that stand for several; null where none does.</param>
    public FeatureFold(
        int clients,
        int topics,
        bool withheld,
        IReadOnlyList<int>? shares = null,
        Dictionary<int, IReadOnlyList<int>>? filters = null
    )
    {
        _filters = filters;
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(clients);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(topics);
        _words = (topics + 63) / 64;
        _onlineSubscribers = new int[topics];
        _subscribed = new ulong[(long)clients * _words];
        _online = new bool[clients];
        if (withheld)
        {
            _receiverWords = (clients + 31) / 32;
            _acknowledgements = new(clients);
        }
        _receivers = new uint[(long)topics * _receiverWords];
        _shares = shares;
        if (shares is not null)
            _members = new int[(shares.Max() + 1) * topics];
    }

    /// <summary>Forgets everything, so that the arrays serve another run.</summary>
    public void Clear()
    {
        Array.Clear(_onlineSubscribers);
        Array.Clear(_subscribed);
        Array.Clear(_receivers);
        Array.Clear(_members);
        Array.Clear(_online);
        _acknowledgements?.Clear();
        _open = default;
        _active = _openDeliveries = _onlineClients = _totalSubscriptions = _recentHead = _recentCount = 0;
        _recentPerCompletion = _recentOfOthers = 0;
    }

    /// <summary>
    /// Whether the client is online and subscribed to the topic, so that a publication sent now is to be delivered to
    /// it.
    /// </summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="topic">Index of the topic.</param>
    public bool IsSubscriber(int client, int topic) =>
        _online[client] && (_subscribed[client * _words + (topic >> 6)] >> topic & 1) != 0;

    /// <summary>How many clients are online and subscribed to a topic.</summary>
    /// <param name="topic">Index of the topic.</param>
    public int SubscribersOf(int topic) => _onlineSubscribers[topic];

    /// <summary>
    /// The receivers that <see cref="ExchangeFeatures.Withheld"/> counted for the last publication; it holds until the
    /// next exchange is sent.
    /// </summary>
    internal ReadOnlySpan<DelayedAckReceiver> Withholding => CollectionsMarshal.AsSpan(_withholding);

    /// <summary>An exchange is sent.</summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="action">The request of the exchange.</param>
    /// <param name="nowMilliseconds">The time, not before that of earlier calls.</param>
    /// <returns>
    /// The features of the exchange. Keep <see cref="ExchangeFeatures.Subscribers"/>: <see cref="End"/> wants it back.
    /// </returns>
    public ExchangeFeatures Start(int client, in ClientAction action, double nowMilliseconds)
    {
        switch (action.Kind)
        {
            case MessageKind.Disconnect:
                GoOffline(client);
                break;
            case MessageKind.Connect:
                if (action.Clean)
                    DropSubscriptions(client);
                _acknowledgements?.Connect(client);
                break;
            case MessageKind.Unsubscribe:
                Unsubscribe(client, action.Topic);
                break;
            default:
                break;
        }

        var subscribers = action.Topic >= 0 ? _onlineSubscribers[action.Topic] : 0;
        if (_acknowledgements is not null)
        {
            _withholding.Clear();
            _acknowledgements.Send(client, nowMilliseconds);
            if (action.Kind == MessageKind.Publish && subscribers > 0)
                Deliver(_acknowledgements, client, action, nowMilliseconds);
        }
        _active++;
        _open[(int)action.Kind]++;
        if (action.Kind == MessageKind.Publish)
            _openDeliveries += subscribers;
        return new ExchangeFeatures
        {
            Kind = action.Kind,
            Active = _active,
            Open = _open,
            OpenDeliveries = _openDeliveries,
            Online = _onlineClients,
            TotalSubscriptions = _totalSubscriptions,
            Subscribers = subscribers,
            Withheld = _withholding.Count,
            RecentActivity = Recent(nowMilliseconds),
        };
    }

    /// <summary>An exchange has ended.</summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="action">The request of the exchange.</param>
    /// <param name="subscribers">The subscribers that <see cref="Start"/> reported for it.</param>
    /// <param name="success">Whether the awaited answer came.</param>
    /// <param name="nowMilliseconds">The time, not before that of earlier calls.</param>
    public void End(int client, in ClientAction action, int subscribers, bool success, double nowMilliseconds)
    {
        _active--;
        _open[(int)action.Kind]--;
        if (action.Kind == MessageKind.Publish)
            _openDeliveries -= subscribers;
        if (!success)
            return;
        Remember(nowMilliseconds);
        if (_acknowledgements is not null && (action.Kind != MessageKind.Publish || subscribers == 0))
            Answer(_acknowledgements, client, action, nowMilliseconds);
        if (action.Kind == MessageKind.Connect)
            GoOnline(client);
        else if (action.Kind == MessageKind.Subscribe)
            Subscribe(client, action.Topic);
    }

    /// <summary>A client was online before the first exchange.</summary>
    /// <param name="client">Number of the client.</param>
    public void Join(int client) => GoOnline(client);

    /// <summary>A client was subscribed before the first exchange.</summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="topic">Index of the topic.</param>
    public void JoinTopic(int client, int topic) => SubscribeTo(client, topic);

    /// <summary>The client's connection ended without its doing.</summary>
    /// <param name="client">Number of the client.</param>
    public void ConnectionLost(int client) => GoOffline(client);

    // Notes the receivers that withhold an acknowledgement. Their delivery is assumed to have the quality of service of
    // the publication.
    private void Deliver(DelayedAcks acknowledgements, int client, in ClientAction action, double nowMilliseconds)
    {
        var answered = action.Qos > QualityOfService.AtMostOnce;
        var first = action.Topic * _receiverWords;
        for (var word = 0; word < _receiverWords; word++)
        {
            for (var bits = _receivers[first + word]; bits != 0; bits &= bits - 1)
            {
                var receiver = (word << 5) + BitOperations.TrailingZeroCount(bits);
                if (acknowledgements.Deliver(receiver, answered, nowMilliseconds))
                    _withholding.Add(new(receiver, acknowledgements.ReceivedMilliseconds(receiver)));
            }
        }
        // The publisher has its own answer long before the last delivery.
        Answer(acknowledgements, client, action, nowMilliseconds);
    }

    private static void Answer(DelayedAcks acknowledgements, int client, in ClientAction action, double nowMilliseconds)
    {
        if (action.Kind == MessageKind.Publish && action.Qos == QualityOfService.AtMostOnce)
            return;
        // A PUBREC is answered by PUBREL.
        if (action.Kind == MessageKind.Publish && action.Qos == QualityOfService.ExactlyOnce)
            acknowledgements.Deliver(client, answered: true, nowMilliseconds);
        acknowledgements.Answer(client, nowMilliseconds);
    }

    private void Subscribe(int client, int topic)
    {
        if (_filters?.GetValueOrDefault(topic) is not { } topics)
        {
            SubscribeTo(client, topic);
            return;
        }
        foreach (var one in topics)
            SubscribeTo(client, one);
    }

    private void Unsubscribe(int client, int topic)
    {
        if (_filters?.GetValueOrDefault(topic) is not { } topics)
        {
            UnsubscribeFrom(client, topic);
            return;
        }
        foreach (var one in topics)
            UnsubscribeFrom(client, one);
    }

    private void SubscribeTo(int client, int topic)
    {
        ref var word = ref _subscribed[client * _words + (topic >> 6)];
        var bit = 1UL << topic;
        if ((word & bit) != 0)
            return;
        word |= bit;
        _totalSubscriptions++;
        if (_online[client])
            CountTopic(client, topic, +1);
    }

    private void UnsubscribeFrom(int client, int topic)
    {
        ref var word = ref _subscribed[client * _words + (topic >> 6)];
        var bit = 1UL << topic;
        if ((word & bit) == 0)
            return;
        word &= ~bit;
        _totalSubscriptions--;
        if (_online[client])
            CountTopic(client, topic, -1);
    }

    private void GoOnline(int client)
    {
        if (_online[client])
            return;
        _online[client] = true;
        _onlineClients++;
        ScaleRecent();
        CountTopics(client, +1);
    }

    private void GoOffline(int client)
    {
        if (!_online[client])
            return;
        _online[client] = false;
        _onlineClients--;
        ScaleRecent();
        CountTopics(client, -1);
    }

    private void DropSubscriptions(int client)
    {
        if (_online[client])
            CountTopics(client, -1);
        foreach (ref var word in _subscribed.AsSpan(client * _words, _words))
        {
            _totalSubscriptions -= BitOperations.PopCount(word);
            word = 0;
        }
    }

    private void CountTopics(int client, int change)
    {
        for (var word = 0; word < _words; word++)
        {
            for (var bits = _subscribed[client * _words + word]; bits != 0; bits &= bits - 1)
                CountTopic(client, (word << 6) + BitOperations.TrailingZeroCount(bits), change);
        }
    }

    private void CountTopic(int client, int topic, int change)
    {
        if (_shares is not null && _shares[client] is >= 0 and var share)
        {
            ref var members = ref _members[share * _onlineSubscribers.Length + topic];
            members += change;
            if (members == (change > 0 ? 1 : 0))
                _onlineSubscribers[topic] += change;
            return;
        }
        _onlineSubscribers[topic] += change;
        if (_acknowledgements is not null)
            _receivers[topic * _receiverWords + (client >> 5)] ^= 1U << client;
    }

    private void Remember(double nowMilliseconds)
    {
        if (_recentCount == _recent.Length)
        {
            Expire(nowMilliseconds);
            if (_recentCount == _recent.Length)
            {
                var grown = new double[_recent.Length * 2];
                for (var i = 0; i < _recentCount; i++)
                    grown[i] = _recent[(_recentHead + i) & (_recent.Length - 1)];
                (_recent, _recentHead) = (grown, 0);
            }
        }
        _recent[(_recentHead + _recentCount++) & (_recent.Length - 1)] = nowMilliseconds;
    }

    private double Recent(double nowMilliseconds)
    {
        Expire(nowMilliseconds);
        var perClient = _recentCount * _recentPerCompletion;
        return perClient + _recentOfOthers * perClient / (1 + perClient * perClient);
    }

    // Only roots that are rounded correctly everywhere: the same log gives the same bins on every machine.
    private void ScaleRecent() =>
        (_recentPerCompletion, _recentOfOthers) =
            _onlineClients == 0
                ? (0, 0)
                : (1.0 / _onlineClients, Math.Sqrt(Math.Sqrt((double)_onlineClients / RecentClients)) - 1);

    private void Expire(double nowMilliseconds)
    {
        while (_recentCount > 0 && _recent[_recentHead] <= nowMilliseconds - RecentMilliseconds)
        {
            _recentHead = (_recentHead + 1) & (_recent.Length - 1);
            _recentCount--;
        }
    }
}
