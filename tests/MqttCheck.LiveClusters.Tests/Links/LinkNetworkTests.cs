using System.Net;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.LiveClusters.Links;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.LiveClusters.Tests.Links;

/// <summary>Relays in virtual time: what a link does to bytes is exact there.</summary>
public sealed class LinkNetworkTests
{
    private const long Millisecond = 1_000_000;
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    [Test]
    public void A_constant_delay_of_20_ms_each_way_makes_a_round_trip_of_40_ms()
    {
        using var pair = new Pair(new LinkLaw { DelayMilliseconds = new ConstantLaw(20) });
        long sent = 0,
            back = 0;
        pair.Serve(Taking((connection, bytes) => connection.Send(bytes)))
            .Connect(
                new ScriptedHandler
                {
                    // The first bytes wait until the relay has connected onwards, so they are sent afterwards.
                    Connected = connection =>
                        pair.At(
                            100 * Millisecond,
                            () =>
                            {
                                sent = pair.Now;
                                connection.Send("ping"u8);
                            }
                        ),
                    Bytes = Taking((_, bytes) => back = pair.Now).Bytes,
                }
            )
            .Run();
        Assert.That(back - sent, Is.EqualTo(40 * Millisecond));
    }

    [Test]
    public void A_rate_of_10_Mbit_carries_10_Mbit_each_second()
    {
        using var pair = new Pair(new LinkLaw { BitsPerSecond = 10e6 });
        var received = new ScriptedHandler();
        long last = 0;
        var server = Taking(
            (_, bytes) =>
            {
                received.Received.AddRange(bytes);
                last = pair.Now;
            }
        );
        pair.Serve(server);
        var data = new byte[1_250_000];
        pair.Connect(new ScriptedHandler { Connected = connection => connection.Send(data) }).Run();
        Assert.That(received.Received, Has.Count.EqualTo(data.Length));
        Assert.That(last / 1e9, Is.EqualTo(1).Within(0.03), "seconds for 10 Mbit");
    }

    [Test]
    public void Each_direction_draws_delays_of_its_own_and_the_seed_repeats_them()
    {
        var first = Draws(7, 0, 1);
        Assert.That(Draws(7, 0, 1), Is.EqualTo(first));
        Assert.That(Draws(7, 1, 0), Is.Not.EqualTo(first));
        Assert.That(Draws(8, 0, 1), Is.Not.EqualTo(first));

        static long[] Draws(ulong seed, int from, int to)
        {
            var link = new DirectedLink(from, to, new LinkLaw { DelayMilliseconds = new ExponentialLaw(5) }, seed);
            return [.. Enumerable.Range(0, 20).Select(_ => link.DrawDelay())];
        }
    }

    [Test]
    public void Two_runs_with_one_seed_delay_every_piece_alike()
    {
        var first = Arrivals(3);
        Assert.That(Arrivals(3), Is.EqualTo(first));
        Assert.That(Arrivals(4), Is.Not.EqualTo(first));

        static List<long> Arrivals(ulong seed)
        {
            var law = new LinkLaw { DelayMilliseconds = new ExponentialLaw(5), Loss = 0.1 };
            using var pair = new Pair(law, seed: seed);
            var times = new List<long>();
            pair.Serve(Taking((_, bytes) => times.Add(pair.Now)))
                .Connect(
                    new ScriptedHandler
                    {
                        Connected = connection =>
                        {
                            for (var i = 0; i < 50; i++)
                                pair.At(i * 10 * Millisecond, () => connection.Send("message"u8));
                        },
                    }
                )
                .Run();
            return times;
        }
    }

    // RFC 6298 has a least time-out of one second, Linux of 200 ms; a loss probability of 1/2 makes the mean number of
    // losses of a segment 1, and the false-alarm rate of the bound below is under 1e-6 (negative binomial, 500).
    [Test]
    public void A_lost_segment_is_late_by_the_repair_time_of_TCP_and_stalls_those_behind_it()
    {
        using var pair = new Pair(new LinkLaw { Loss = 0.5 }, seed: 11);
        long last = 0;
        pair.Serve(Taking((_, bytes) => last = pair.Now))
            .Connect(
                new ScriptedHandler
                {
                    Connected = connection => connection.Send(new byte[500 * DirectedLink.SegmentBytes]),
                }
            )
            .Run();
        // The segments were sent at once, so the end waits for the unluckiest of them: 1 + log2(500) = 9 losses or so.
        Assert.That(last, Is.InRange(4 * 200 * Millisecond, 40 * 200 * Millisecond));
        Assert.That(last % (200 * Millisecond), Is.Zero);
    }

    [Test]
    [Category("Whole")]
    public void A_partition_stalls_both_directions_and_loses_no_byte_when_healed()
    {
        var cases = Gen.Choose(1, 5000).NonEmptyListOf().ToArbitrary();
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(5, 7),
            Prop.ForAll(
                cases,
                lengths =>
                {
                    var law = new LinkLaw { DelayMilliseconds = new UniformLaw(0, 20) };
                    using var pair = new Pair(law, pieces: RandomStream.For(2));
                    var there = new List<byte>();
                    var back = new List<byte>();
                    var whilePartitioned = 0;
                    pair.Serve(
                        Taking(
                            (connection, bytes) =>
                            {
                                there.AddRange(bytes);
                                connection.Send(bytes);
                            }
                        )
                    );
                    var sent = new byte[lengths.Sum()];
                    for (var i = 0; i < sent.Length; i++)
                        sent[i] = (byte)(i * 7 + i / 251);
                    pair.Connect(
                            new ScriptedHandler
                            {
                                Connected = connection =>
                                {
                                    var at = 0;
                                    for (var i = 0; i < lengths.Count; i++)
                                    {
                                        var piece = sent[at..(at += lengths[i])];
                                        pair.At(50 * Millisecond + i * Millisecond, () => connection.Send(piece));
                                    }
                                },
                                Bytes = Taking((_, bytes) => back.AddRange(bytes)).Bytes,
                            }
                        )
                        .At(60 * Millisecond, () => pair.Network.Stall(0, 1))
                        .At(61 * Millisecond, () => whilePartitioned = there.Count + back.Count)
                        .At(
                            10_000 * Millisecond,
                            () =>
                            {
                                Assert.That(there.Count + back.Count, Is.EqualTo(whilePartitioned));
                                pair.Network.Heal(0, 1);
                            }
                        )
                        .Run();
                    Assert.That((there, back), Is.EqualTo((sent, sent)));
                }
            )
        );
    }

    [Test]
    public void A_cut_resets_both_ends_and_refuses_new_connections_until_it_is_healed()
    {
        using var pair = new Pair(new LinkLaw());
        var server = new ScriptedHandler();
        pair.Serve(server);
        var (first, second, third) = (new ScriptedHandler(), new ScriptedHandler(), new ScriptedHandler());
        pair.Connect(first)
            .At(10 * Millisecond, () => pair.Network.Cut(1, 0))
            .At(20 * Millisecond, () => pair.Connect(second))
            .At(30 * Millisecond, () => pair.Network.Heal(0, 1))
            .At(40 * Millisecond, () => pair.Connect(third))
            .Run();
        Assert.That(
            (first.WhenClosed.Result, server.WhenClosed.Result, second.WhenClosed.Result),
            Is.EqualTo((CloseReason.Reset, CloseReason.Reset, CloseReason.Reset))
        );
        Assert.That(third.WhenConnected.IsCompleted);
        Assert.That(third.WhenClosed.IsCompleted, Is.False);
    }

    [Test]
    public void What_a_node_sent_before_it_closed_arrives_before_the_end()
    {
        using var pair = new Pair(new LinkLaw { DelayMilliseconds = new ConstantLaw(30) });
        var server = new ScriptedHandler();
        pair.Serve(server)
            .Connect(
                new ScriptedHandler
                {
                    Connected = connection =>
                    {
                        connection.Send("farewell"u8);
                        connection.Close();
                    },
                }
            )
            .Run();
        Assert.That(
            (Encoding.ASCII.GetString([.. server.Received]), server.WhenClosed.Result, pair.Network.Connections),
            Is.EqualTo(("farewell", CloseReason.ClosedByPeer, 0))
        );
    }

    [Test]
    public void A_node_that_does_not_listen_resets_the_one_that_connects()
    {
        using var pair = new Pair(new LinkLaw());
        var client = new ScriptedHandler();
        pair.Connect(client).Run();
        Assert.That((client.WhenClosed.Result, pair.Network.Connections), Is.EqualTo((CloseReason.Reset, 0)));
    }

    [Test]
    public void A_fast_source_waits_for_a_slow_link_and_nothing_is_lost()
    {
        using var pair = new Pair(new LinkLaw { BitsPerSecond = 1e9 });
        var count = 0L;
        pair.Serve(Taking((_, bytes) => count += bytes.Length))
            .Connect(new ScriptedHandler { Connected = connection => connection.Send(new byte[12 << 20]) })
            .Run();
        Assert.That((count, pair.Network[0, 1].Counters.Bytes), Is.EqualTo((12 << 20, 12 << 20)));
    }

    [Test]
    public void Packets_are_counted_by_type_and_publications_by_topic_class_in_whatever_pieces_they_pass()
    {
        var observer = new Observed();
        using var pair = new Pair(new LinkLaw(), pieces: RandomStream.For(4), observer: observer);
        pair.Serve(
                new ScriptedHandler
                {
                    Connected = connection =>
                        connection.Send(
                            PacketEncoder.Encode(new ConnackPacket(false, ReasonCode.Success), ProtocolVersion.V5)
                        ),
                }
            )
            .Connect(
                new ScriptedHandler
                {
                    Connected = connection =>
                    {
                        connection.Send(
                            PacketEncoder.Encode(
                                new ConnectPacket { ProtocolVersion = ProtocolVersion.V5, ClientId = "bridge" },
                                ProtocolVersion.V5
                            )
                        );
                        Publish(connection, "plant/1", 1);
                        Publish(connection, "$SYS/broker/connection", 0);
                        Publish(connection, "plant/2", 0);
                        connection.Send(PacketEncoder.Encode(new PingreqPacket(), ProtocolVersion.V5));
                    },
                }
            )
            .Run();
        var there = pair.Network[0, 1].Counters.Snapshot();
        Assert.That((there.PacketsOf(PacketType.Connect), there.PacketsOf(PacketType.Publish)), Is.EqualTo((1, 3)));
        Assert.That((there.PacketsOf(PacketType.Pingreq), there.Packets), Is.EqualTo((1, 5)));
        Assert.That((there.DataPublications, there.SystemPublications), Is.EqualTo((2, 1)));
        Assert.That(pair.Network[1, 0].Counters.PacketsOf(PacketType.Connack), Is.EqualTo(1));
        Assert.That(observer.Opens, Is.EqualTo(new[] { (0, 1) }));
        string[] each = ["0>1 plant/1 q1 hello", "0>1 $SYS/broker/connection q0 hello", "0>1 plant/2 q0 hello"];
        Assert.That(
            observer.Seen.Where(line => line.StartsWith("in ", StringComparison.Ordinal)),
            Is.EqualTo(each.Select(line => "in " + line))
        );
        Assert.That(
            observer.Seen.Where(line => line.StartsWith("out", StringComparison.Ordinal)),
            Is.EqualTo(each.Select(line => "out " + line))
        );

        static void Publish(WireConnection connection, string topic, int qos) =>
            connection.Send(
                PacketEncoder.Encode(
                    new PublishPacket
                    {
                        Topic = topic,
                        Payload = Bytes.FromText("hello"),
                        Qos = (QualityOfService)qos,
                        PacketId = (ushort)(qos == 0 ? 0 : 9),
                        Properties = new PacketProperties { ContentType = "text" },
                    },
                    ProtocolVersion.V5
                )
            );
    }

    [Test]
    public void Another_protocol_than_MQTT_is_counted_in_bytes_only()
    {
        using var pair = new Pair(new LinkLaw());
        pair.Serve(new ScriptedHandler())
            .Connect(
                new ScriptedHandler
                {
                    Connected = connection => connection.Send("CONNECT {\"verbose\":false}\r\nPING\r\n"u8),
                }
            )
            .Run();
        var counters = pair.Network[0, 1].Counters;
        Assert.That((counters.Packets, counters.Bytes), Is.EqualTo((0L, 33L)));
    }

    // It consumes all bytes that come.
    private static ScriptedHandler Taking(Action<WireConnection, byte[]> take) =>
        new()
        {
            Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
            {
                take(connection, bytes.ToArray());
                return bytes.Length;
            },
        };

    private sealed class Observed : ILinkObserver
    {
        public void Opened(int from, int to, long nanoseconds) => Opens.Add((from, to));

        public List<(int From, int To)> Opens { get; } = [];

        public List<string> Seen { get; } = [];

        public void Entered(int from, int to, in LinkPublication publication) => Note("in ", from, to, publication);

        public void Left(int from, int to, in LinkPublication publication) => Note("out ", from, to, publication);

        private void Note(string what, int from, int to, in LinkPublication publication) =>
            Seen.Add(
                $"{what}{from}>{to} {Encoding.UTF8.GetString(publication.Topic)} q{publication.Qos} "
                    + Encoding.UTF8.GetString(publication.Payload)
            );
    }

    /// <summary>Two nodes with a link: node 0 connects to node 1.</summary>
    private sealed class Pair : IDisposable
    {
        private readonly IWire _wire;
        private readonly IPEndPoint _relay;
        private readonly IPEndPoint _target = new(IPAddress.Loopback, 1883);

        public Pair(LinkLaw law, ulong seed = 1, RandomStream? pieces = null, ILinkObserver? observer = null)
        {
            _wire = WireFactory.CreateInMemory(TimeSpan.Zero, pieces);
            Network = new LinkNetwork(_wire, observer);
            Network.Add(0, 1, law, seed);
            _relay = Network.Listen(0, 1, AnyPort);
            Network.SetTarget(0, 1, _target);
        }

        public LinkNetwork Network { get; }

        public long Now => _wire.NowNanoseconds;

        public Pair Serve(IWireHandler server) => Do(() => _wire.Listen(_target, () => server));

        public Pair Connect(IWireHandler client) => Do(() => _wire.Connect(new WireEndpoint(_relay), client));

        public Pair At(long nanoseconds, Action action) =>
            Do(() => _wire.Schedule(new ScriptedHandler { Timer = (_, _, _) => action() }, Now + nanoseconds, 0));

        private Pair Do(Action act)
        {
            act();
            return this;
        }

        public void Run() => _wire.Run();

        public void Dispose() => _wire.Dispose();
    }
}
