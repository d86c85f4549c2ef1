using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance;

/// <summary>Random scenarios, generated from the state of their clients so that nearly every command has an effect.</summary>
public sealed class ScenarioGenerator
{
    private readonly GeneratorOptions _options;

    /// <summary>A generator.</summary>
    /// <param name="options">What to generate.</param>
    public ScenarioGenerator(GeneratorOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
    }

    /// <summary>Scenarios for an FsCheck property, with shrinking.</summary>
    public Arbitrary<Scenario> ToArbitrary() => Arb.From(
        Gen.Sized(size => ArbMap.Default.GeneratorFor<ulong>().Select(seed => Generate(RandomStream.For(seed), size))), ScenarioShrinker.Shrink);

    /// <summary>One scenario.</summary>
    /// <param name="random">Where chance comes from.</param>
    /// <param name="size">How long it may be, 0 .. 100; 50 and above for the longest.</param>
    public Scenario Generate(RandomStream random, int size = 50)
    {
        var version = _options.Versions[random.NextInt(_options.Versions.Count)];
        var clients = Math.Min(_options.MaximumClients, random.NextInt(10) switch { < 4 => 2, < 8 => 3, _ => 4 });
        var most = Math.Max(4, _options.MaximumSteps * Math.Min(size, 50) / 50);
        return new Draft(this, version, clients, random).Complete(4 + random.NextInt(Math.Max(1, most - 3)));
    }

    private sealed class Draft
    {
        private readonly ProtocolVersion _version;
        private readonly IReadOnlyList<string> _defects;
        private readonly ClientSketch[] _clients;
        private readonly List<Step> _steps = [];
        private readonly string[] _topics;
        private readonly string[] _filters;
        private readonly int _favouriteQos;
        private readonly bool _likesPersistence;
        private RandomStream _random;

        public Draft(ScenarioGenerator generator, ProtocolVersion version, int clients, RandomStream random)
        {
            (_version, _random) = (version, random);
            _defects = IsV5 ? generator._options.Defects5 : generator._options.Defects311;
            _clients = new ClientSketch[clients];
            for (var i = 0; i < clients; i++) _clients[i].Filters = [];
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

        private void Next()
        {
            var index = _random.NextInt(_clients.Length);
            ref var client = ref _clients[index];
            var concurrent = _steps.Count > 0 && Chance(.25);
            if (!client.IsConnected)
            {
                // Messages for a session without connection come from others: leave it alone for a while.
                if (client.Persists && Chance(.5)) return;
                if (_defects.Count > 0 && Chance(.01)) Add(index, new MalformedCommand(_defects[_random.NextInt(_defects.Count)]), false);
                else Add(index, Connect(ref client), concurrent);
                return;
            }
            switch (_random.NextInt(100))
            {
                case < 28:
                    Add(index, Subscribe(ref client), concurrent);
                    break;
                case < 74:
                    Add(index, Publish(ref client), concurrent);
                    break;
                case < 80:
                    Add(index, Unsubscribe(ref client), concurrent);
                    break;
                case < 85:
                    Leave(ref client);
                    Add(index, new DisconnectCommand(IsV5 && Chance(.2)), concurrent);
                    break;
                case < 91:
                    Leave(ref client);
                    Add(index, new DropCommand(), concurrent);
                    break;
                case < 94:
                    Add(index, Connect(ref client), false);
                    break;
                case < 97:
                    client.IsHolding = !client.IsHolding;
                    Add(index, new HoldCommand(client.IsHolding), false);
                    break;
                case < 98:
                    Add(index, new PingCommand(), concurrent);
                    break;
                default:
                    if (_defects.Count == 0) break;
                    Leave(ref client);
                    Add(index, new MalformedCommand(_defects[_random.NextInt(_defects.Count)]), false);
                    Add(index, new DropCommand(), false);
                    break;
            }
        }

        private void Add(int client, Command command, bool concurrent) => _steps.Add(new Step(client, command, concurrent));

        private static void Leave(ref ClientSketch client)
        {
            client.IsConnected = false;
            client.IsHolding = false;
            if (!client.Persists) client.Filters.Clear();
        }

        private ConnectCommand Connect(ref ClientSketch client)
        {
            var persists = _likesPersistence && Chance(.7);
            var clean = IsV5 ? Chance(client.Persists ? .3 : .5) : !persists;
            var command = new ConnectCommand(clean)
            {
                SessionExpirySeconds = IsV5 && persists ? 1000 : null,
                ReceiveMaximum = IsV5 && Chance(.1) ? (ushort)(1 + _random.NextInt(3)) : null,
                TopicAliasMaximum = IsV5 && Chance(.1) ? (ushort)(1 + _random.NextInt(3)) : null,
            };
            if (Chance(.15)) command = command with { WillTopic = Topic(), WillQos = Qos(), WillRetain = Chance(.3) };
            if (clean) client.Filters.Clear();
            client.IsConnected = true;
            client.IsHolding = false;
            client.Persists = command.Persists(_version);
            return command;
        }

        private SubscribeCommand Subscribe(ref ClientSketch client)
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
                client.Filters.Add(filter);
            }
            while (requests.Count < 3 && Chance(.2));
            return new SubscribeCommand([.. requests], IsV5 && Chance(.2) ? (uint)(1 + _random.NextInt(200)) : null);
        }

        private UnsubscribeCommand Unsubscribe(ref ClientSketch client)
        {
            var filter = client.Filters.Count > 0 && Chance(.85) ? client.Filters[_random.NextInt(client.Filters.Count)] : Filter();
            client.Filters.Remove(filter);
            return new UnsubscribeCommand(Chance(.15) ? [filter, Filter()] : [filter]);
        }

        private PublishCommand Publish(ref ClientSketch client)
        {
            var qos = Qos();
            var retain = Chance(.25);
            var isCut = qos > QualityOfService.AtMostOnce && client.Persists && Chance(.1);
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
}
