using System.Net;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Wire;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Wire;

public sealed class MemoryWireTests
{
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    [Test]
    public void Whatever_is_sent_and_consumed_in_whatever_pieces_arrives_once_and_in_order()
    {
        // A case: the lengths that are sent, and what share (in tenths) of the offered bytes each call consumes.
        var cases = Gen.Zip(Gen.Choose(1, 6000).NonEmptyListOf(), Gen.Choose(0, 10).NonEmptyListOf()).ToArbitrary();
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(3, 5),
            Prop.ForAll(
                cases,
                @case =>
                {
                    var (lengths, shares) = (@case.Item1.ToArray(), @case.Item2.ToArray());
                    using var wire = WireFactory.CreateInMemory(TimeSpan.FromMilliseconds(1), RandomStream.For(9));
                    var sent = new byte[lengths.Sum()];
                    for (var i = 0; i < sent.Length; i++)
                        sent[i] = (byte)(i * 7 + i / 251);
                    var consumed = new List<byte>();
                    var rest = Array.Empty<byte>();
                    var calls = 0;
                    var address = wire.Listen(
                        AnyPort,
                        () =>
                            new ScriptedHandler
                            {
                                Bytes = (WireConnection _, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
                                {
                                    var count = bytes.Length * shares[calls++ % shares.Length] / 10;
                                    consumed.AddRange(bytes[..count]);
                                    rest = bytes[count..].ToArray();
                                    return count;
                                },
                            }
                    );
                    var at = 0;
                    wire.Connect(
                        new WireEndpoint(address),
                        new ScriptedHandler
                        {
                            Connected = connection =>
                            {
                                foreach (var length in lengths)
                                {
                                    connection.Send(sent.AsSpan(at, length));
                                    at += length;
                                }
                                connection.Close();
                            },
                        }
                    );
                    wire.Run();
                    return consumed.Concat(rest).SequenceEqual(sent);
                }
            )
        );
    }

    [Test]
    public void Time_jumps_to_the_next_event_and_Run_returns_when_there_is_none()
    {
        using var wire = WireFactory.CreateInMemory(TimeSpan.FromMilliseconds(3));
        var seen = new List<(string What, long Milliseconds)>();
        void See(string what) => seen.Add((what, wire.NowNanoseconds / 1_000_000));
        var address = wire.Listen(
            AnyPort,
            () =>
                new ScriptedHandler
                {
                    Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
                    {
                        See("request");
                        connection.Send(bytes);
                        return bytes.Length;
                    },
                }
        );
        var client = new ScriptedHandler
        {
            Connected = connection =>
            {
                See("connected");
                connection.Send(new byte[1]);
            },
            Timer = (_, _, _) => See("timer"),
            Bytes = (WireConnection _, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
            {
                See("answer");
                return bytes.Length;
            },
        };
        wire.Schedule(client, 3_600_000_000_000, 0);
        wire.Connect(new WireEndpoint(address), client);
        wire.Run();
        Assert.That(seen, Is.EqualTo([("connected", 6L), ("request", 9L), ("answer", 12L), ("timer", 3_600_000L)]));
    }
}
