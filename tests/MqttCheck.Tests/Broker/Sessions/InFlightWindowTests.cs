using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Tests.Broker.Sessions;

public sealed class InFlightWindowTests
{
    private sealed record Entry(ushort Id, string Text, QualityOfService Qos)
    {
        public bool Released { get; set; }

        public bool SentHere { get; set; } = true;
    }

    [Test]
    public void It_behaves_like_a_list([Values] bool isScattered) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithEndSize(200).WithReplay(20260104, 7),
            Prop.ForAll(ArbMap.Default.ArbFor<int[]>(), steps => CompareWithList(steps, isScattered))
        );

    [Test]
    public void All_65535_identifiers_can_be_open_at_once([Values] bool isScattered)
    {
        var window = new InFlightWindow<Delivery>(isScattered);
        var ids = Enumerable
            .Range(0, ushort.MaxValue)
            .Select(i => window.Add(Message($"{i}", QualityOfService.AtLeastOnce)))
            .ToHashSet();
        Assert.That(
            (ids.Count, ids.Contains(0), window.Count, window.Finish(40_000, QualityOfService.AtLeastOnce)),
            Is.EqualTo((65535, false, 65535, true))
        );
        Assert.That(window.Add(Message("again", QualityOfService.AtLeastOnce)), Is.EqualTo(40_000));
    }

    // Identifiers that became free are used again in that order, after those never used.
    [Test]
    public void Free_identifiers_are_used_in_the_order_they_became_free()
    {
        var window = new InFlightWindow<Delivery>();
        var message = Message("x", QualityOfService.AtLeastOnce);
        Assert.That(Enumerable.Range(1, 8).Select(_ => (int)window.Add(message)), Is.EqualTo(Enumerable.Range(1, 8)));
        window.Finish(5, QualityOfService.AtLeastOnce);
        window.Finish(2, QualityOfService.AtLeastOnce);
        Assert.That(new[] { window.Add(message), window.Add(message), window.Add(message) }, Is.EqualTo([5, 2, 9]));
    }

    [Test]
    public void What_was_released_over_an_earlier_connection_takes_no_room_of_the_next()
    {
        var window = new InFlightWindow<Delivery>();
        var id = window.Add(Message("x", QualityOfService.ExactlyOnce));
        window.Release(id);
        window.Rewind();
        Assert.That((window.Complete(id), window.OpenHere), Is.EqualTo((true, 0)));
    }

    private static void CompareWithList(int[] steps, bool isScattered)
    {
        var window = new InFlightWindow<Delivery>(isScattered);
        // Published messages in order of sending; released ones go to the end, where their own order counts.
        var list = new List<Entry>();
        for (var i = 0; i < steps.Length; i++)
        {
            var step = Math.Abs(steps[i]);
            var entry = list.Count == 0 ? null : list[(step / 12 + i) % list.Count];
            switch (step % 12)
            {
                case 0 or 1 or 2:
                    var qos = step % 12 == 0 ? QualityOfService.ExactlyOnce : QualityOfService.AtLeastOnce;
                    var id = window.Add(Message($"{i}", qos));
                    Assert.That(list.Select(e => e.Id), Does.Not.Contain(id));
                    list.Add(new Entry(id, $"{i}", qos));
                    break;
                case 3 when entry is not null:
                    Assert.That(
                        window.Finish(entry.Id, QualityOfService.AtLeastOnce),
                        Is.EqualTo(entry is { Released: false, Qos: QualityOfService.AtLeastOnce })
                    );
                    if (entry is { Released: false, Qos: QualityOfService.AtLeastOnce })
                        list.Remove(entry);
                    break;
                case 4 when entry is not null:
                    Assert.That(window.Release(entry.Id), Is.EqualTo(entry.Qos == QualityOfService.ExactlyOnce));
                    if (entry.Released || entry.Qos != QualityOfService.ExactlyOnce)
                        break;
                    entry.Released = true;
                    list.Remove(entry);
                    list.Add(entry);
                    break;
                case 5 when entry is not null:
                    Assert.That(window.Complete(entry.Id), Is.EqualTo(entry.Released));
                    if (entry.Released)
                        list.Remove(entry);
                    break;
                case 6 when step % 3 == 0:
                    window.Rewind();
                    foreach (var e in list)
                        e.SentHere = false;
                    break;
                case 7:
                    var next = list.Find(e => e is { SentHere: false, Released: false });
                    Assert.That(window.HasUnsent, Is.EqualTo(next is not null));
                    Assert.That(window.TryResend(out var resent, out var delivery), Is.EqualTo(next is not null));
                    if (next is null)
                        break;
                    Assert.That((resent, delivery.Message.Publisher), Is.EqualTo((next.Id, next.Text)));
                    next.SentHere = true;
                    break;
                case 8:
                    var unknown = (ushort)(step / 12);
                    if (list.Exists(e => e.Id == unknown))
                        break;
                    Assert.That(window.Finish(unknown, QualityOfService.AtLeastOnce), Is.False);
                    Assert.That(window.Finish(unknown, QualityOfService.ExactlyOnce), Is.False);
                    Assert.That(window.Release(unknown) || window.Complete(unknown), Is.False);
                    break;
                case 9 when entry is { Released: true }:
                    window.FreeQuota(entry.Id);
                    entry.SentHere = false;
                    break;
                case 10:
                    window.Rewind();
                    window.Reverse();
                    list = [.. list.Where(e => !e.Released).Reverse(), .. list.Where(e => e.Released)];
                    foreach (var e in list)
                        e.SentHere = false;
                    break;
                case 11 when step % 5 == 0:
                    window.Clear();
                    list.Clear();
                    break;
                case 11 when step % 5 == 1:
                    window.ForgetPublished();
                    list.RemoveAll(e => !e.Released);
                    break;
            }
            Assert.That((window.Count, window.OpenHere), Is.EqualTo((list.Count, list.Count(e => e.SentHere))));
            Assert.That(window.Released(), Is.EqualTo(list.Where(e => e.Released).Select(e => e.Id)));
        }
    }

    private static Delivery Message(string text, QualityOfService qos) =>
        new(new Message("t"u8, default, default, qos, false, long.MaxValue, text), qos, false, null);
}
