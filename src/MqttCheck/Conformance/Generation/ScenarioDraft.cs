using MqttCheck.Clients;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance;

/// <summary>A scenario in the making. Which command comes next depends on the state of its client by the functional model, so that nearly every command has an effect.</summary>
internal sealed class ScenarioDraft
{
    private readonly ProtocolVersion _version;
    private readonly IReadOnlyList<string> _defects;
    private readonly ClientState[] _clients;
    private readonly ulong[] _subscribed;
    private readonly List<string> _known = [];
    private readonly List<Step> _steps = [];
    private readonly string[] _topics;
    private readonly string[] _filters;
    private readonly int _favouriteQos;
    private readonly bool _likesPersistence;
    private RandomStream _random;

    public ScenarioDraft(GeneratorOptions options, ProtocolVersion version, int clients, RandomStream random)
    {
        (_version, _random) = (version, random);
        _defects = IsV5 ? options.Defects5 : options.Defects311;
        _clients = new ClientState[clients];
        _subscribed = new ulong[clients];
        var family = Choose(TopicFamily.All, f => f.Weight);
        _topics = Some(family.Topics, 2);
        _filters = Some(family.Filters, 3);
        _favouriteQos = _random.NextInt(4);
        _likesPersistence = Chance(.4);
    }

    private bool IsV5 => _version == ProtocolVersion.V5;

    public Scenario Complete(int length)
    {
        while (_steps.Count < length) Next();
        return new Scenario(_version, [.. _steps]);
    }

    /// <summary>A scenario in which time passes. Only who waits for what is laid down; the rest is chance.</summary>
    public Scenario Wait()
    {
        var (topic, filter) = ("~/a", Chance(.5) ? "~/a" : Chance(.5) ? "~/+" : "~/#");
        var qos = Qos();
        switch (IsV5 ? _random.NextInt(7) : _random.NextInt(2))
        {
            case 0:
                // Nothing is sent for longer than one and a half times the keep alive.
                Line(1, "connect clean", $"subscribe {filter}:{(int)qos}");
                Line(0, $"connect {(Chance(.5) ? "clean" : "resume")} keepalive=1{(Chance(.7) ? $" will={topic}:{(int)Qos()}{(Chance(.3) ? ":retain" : "")}" : "")}");
                if (Chance(.5)) Line(0, $"publish {topic} qos={(int)Qos()}");
                Line(0, "wait 1600ms");
                break;
            case 1:
                // Whatever is sent counts.
                Line(0, "connect clean keepalive=1", $"subscribe {filter}:{(int)qos}");
                for (var i = 0; i < 3; i++) Line(0, "wait 900ms", Chance(.5) ? "ping" : $"publish {topic} qos={(int)Qos()}");
                break;
            case 2:
                // A message expires, or its interval runs down, while nobody is there to take it.
                Line(0, "connect clean expiry=1000", $"subscribe {filter}:{1 + _random.NextInt(2)}", Chance(.5) ? "disconnect" : "drop");
                Line(1, "connect clean", $"publish {topic} qos={1 + _random.NextInt(2)} expiry={(Chance(.6) ? 1 : 100)}", $"publish {topic} qos={1 + _random.NextInt(2)}", "wait 3000ms");
                Line(0, "connect resume expiry=1000");
                break;
            case 3:
                // The same for a retained message.
                Line(1, "connect clean", $"publish {topic} qos={(int)Qos()} retain expiry={(Chance(.6) ? 1 : 100)}", "wait 3000ms");
                Line(0, "connect clean", $"subscribe {filter}:{(int)Qos()}");
                break;
            case 4:
                // A session ends with its interval, or is resumed before.
                Line(0, "connect clean expiry=1", $"subscribe {filter}:{(int)Qos()}", Chance(.5) ? "disconnect" : "drop");
                if (Chance(.5)) Line(1, "connect clean", $"publish {topic} qos={(int)Qos()}");
                if (Chance(.8)) Line(0, "wait 3500ms");
                Line(0, "connect resume expiry=1");
                break;
            default:
                // A will waits; its session may be resumed in time, too late, or dropped.
                Line(1, "connect clean", $"subscribe {filter}:{(int)qos}");
                Line(0, $"connect clean expiry={(Chance(.7) ? 1000 : 1)} will={topic}:{(int)Qos()}{(Chance(.3) ? ":retain" : "")} will-delay={1 + _random.NextInt(2)}", Chance(.7) ? "drop" : "disconnect with-will");
                if (Chance(.4)) Line(0, "wait 300ms", Chance(.7) ? "connect resume expiry=1000" : "connect clean");
                Line(0, "wait 2500ms");
                break;
        }
        return new Scenario(_version, [.. _steps]);

        void Line(int client, params ReadOnlySpan<string> commands)
        {
            foreach (var command in commands) _steps.Add(ScenarioText.ParseStep($"{(char)('A' + client)} {command}", "generator"));
        }
    }

    private void Next()
    {
        var client = _random.NextInt(_clients.Length);
        var concurrent = _steps.Count > 0 && Chance(.25);
        if (!_clients[client].Connected)
        {
            // Messages for a session without connection come from others: leave it alone for a while.
            if (_clients[client].Persists && Chance(.5)) return;
            if (_defects.Count > 0 && Chance(.01)) Add(client, new MalformedCommand(_defects[_random.NextInt(_defects.Count)]), false);
            else Connect(client, concurrent);
            return;
        }
        var input = _random.NextInt(100) switch
        {
            < 28 => ClientInput.Subscribe,
            < 74 => ClientInput.Publish,
            < 80 => ClientInput.Unsubscribe,
            < 85 => ClientInput.Disconnect,
            < 91 => ClientInput.Drop,
            < 94 => ClientInput.Connect,
            < 97 => ClientMachine.Allows(_clients[client], ClientInput.Hold) ? ClientInput.Hold : ClientInput.Release,
            < 98 => ClientInput.Ping,
            _ => ClientInput.Misbehave,
        };
        switch (input)
        {
            case ClientInput.Subscribe:
                Subscribe(client, concurrent);
                break;
            case ClientInput.Publish:
                Add(client, Publish(client), concurrent);
                break;
            case ClientInput.Unsubscribe:
                Unsubscribe(client, concurrent);
                break;
            case ClientInput.Disconnect:
                Add(client, new DisconnectCommand(IsV5 && Chance(.2)), concurrent);
                break;
            case ClientInput.Drop:
                Add(client, new DropCommand(), concurrent);
                break;
            case ClientInput.Connect:
                Connect(client, false);
                break;
            case ClientInput.Hold or ClientInput.Release:
                Add(client, new HoldCommand(input == ClientInput.Hold), false);
                break;
            case ClientInput.Ping:
                Add(client, new PingCommand(), concurrent);
                break;
            default:
                if (_defects.Count == 0) break;
                Add(client, new MalformedCommand(_defects[_random.NextInt(_defects.Count)]), false);
                _steps.Add(new Step(client, new DropCommand()));
                break;
        }
    }

    private void Add(int client, Command command, bool concurrent, int filter = -1)
    {
        _steps.Add(new Step(client, command, concurrent));
        ClientMachine.Apply(ref _clients[client], _subscribed.AsSpan(client, 1), command.Input!.Value, filter);
    }

    private void Connect(int client, bool concurrent)
    {
        var isFirst = !_steps.Exists(step => step.Client == client);
        var persists = _likesPersistence && Chance(.7);
        var clean = IsV5 ? Chance(_clients[client].Persists ? .3 : .5) : !persists;
        var command = new ConnectCommand(clean)
        {
            SessionExpirySeconds = IsV5 && persists ? 1000 : null,
            ReceiveMaximum = IsV5 && Chance(.1) ? (ushort)(1 + _random.NextInt(3)) : null,
            TopicAliasMaximum = IsV5 && Chance(.1) ? (ushort)(1 + _random.NextInt(3)) : null,
            MaximumPacketBytes = IsV5 && Chance(.05) ? (uint)(200 + _random.NextInt(1000)) : null,
            WrongPassword = Chance(.01),
        };
        if (Chance(.15)) command = command with { WillTopic = Topic(), WillQos = Qos(), WillRetain = Chance(.3) };
        if (isFirst && Chance(.01)) command = command with { WithoutIdentifier = true, SessionExpirySeconds = null };
        _steps.Add(new Step(client, command, concurrent));
        ClientMachine.Apply(ref _clients[client], _subscribed.AsSpan(client, 1), ClientInput.Connect, clean: clean, persists: command.Persists(_version));
    }

    private void Subscribe(int client, bool concurrent)
    {
        var requests = new List<SubscriptionRequest>();
        do
        {
            var filter = IsV5 && Chance(.05) ? "$share/~g/" + Filter() : Filter();
            var isShared = filter.StartsWith("$share/", StringComparison.Ordinal);
            requests.Add(new SubscriptionRequest(filter, Qos())
            {
                NoLocal = IsV5 && !isShared && Chance(.1),
                RetainAsPublished = IsV5 && Chance(.15),
                RetainHandling = IsV5 && Chance(.15) ? (RetainHandling)(1 + _random.NextInt(2)) : RetainHandling.Send,
            });
        }
        while (requests.Count < 3 && Chance(.2));
        Add(client, new SubscribeCommand([.. requests], IsV5 && Chance(.2) ? (uint)(1 + _random.NextInt(200)) : null), concurrent, IndexOf(requests[0].Filter));
        foreach (var request in requests.Skip(1)) ClientMachine.Apply(ref _clients[client], _subscribed.AsSpan(client, 1), ClientInput.Subscribe, IndexOf(request.Filter));
    }

    private void Unsubscribe(int client, bool concurrent)
    {
        var own = Enumerable.Range(0, _known.Count).Where(i => (_subscribed[client] & (1UL << i)) != 0).ToList();
        var filter = own.Count > 0 && Chance(.85) ? _known[own[_random.NextInt(own.Count)]] : Filter();
        Add(client, new UnsubscribeCommand(Chance(.15) ? [filter, Filter()] : [filter]), concurrent, IndexOf(filter));
    }

    // A scenario has few filters, plain and shared: their numbers fit into 64 bits.
    private int IndexOf(string filter)
    {
        var index = _known.IndexOf(filter);
        if (index >= 0) return index;
        _known.Add(filter);
        return _known.Count - 1;
    }

    private PublishCommand Publish(int client)
    {
        var qos = Qos();
        var retain = Chance(.25);
        var isCut = qos > QualityOfService.AtMostOnce && _clients[client].Persists && Chance(.1);
        return new PublishCommand(Topic(), qos)
        {
            Retain = retain,
            Empty = Chance(retain ? .25 : .03),
            Duplicate = qos > QualityOfService.AtMostOnce && Chance(.05),
            Repeat = qos == QualityOfService.ExactlyOnce && !IsV5 && Chance(.08),
            Cut = isCut ? qos == QualityOfService.ExactlyOnce && Chance(.5) ? PublishCut.AfterPubrec : PublishCut.AfterPublish : PublishCut.None,
            Alias = IsV5 && Chance(.1) ? (ushort)(1 + _random.NextInt(2)) : null,
            WithProperties = IsV5 && Chance(.15),
            ExpirySeconds = IsV5 && Chance(.08) ? 1000 : null,
            PayloadBytes = Chance(.03) ? 1000 + _random.NextInt(20_000) : 0,
        };
    }

    private QualityOfService Qos() => (QualityOfService)(_favouriteQos < 3 && Chance(.5) ? _favouriteQos : _random.NextInt(3));

    private string Topic() => _topics[_random.NextInt(_topics.Length)];

    private string Filter() => _filters[_random.NextInt(_filters.Length)];

    private bool Chance(double probability) => _random.NextDouble() < probability;

    private string[] Some(string[] all, int most)
    {
        var chosen = new List<string>();
        var count = 1 + _random.NextInt(Math.Min(most, all.Length));
        while (chosen.Count < count)
        {
            var one = all[_random.NextInt(all.Length)];
            if (!chosen.Contains(one)) chosen.Add(one);
        }
        return [.. chosen];
    }

    private T Choose<T>(IReadOnlyList<T> items, Func<T, int> weight)
    {
        var left = _random.NextInt(items.Sum(weight));
        foreach (var item in items)
            if ((left -= weight(item)) < 0) return item;
        return items[^1];
    }
}
