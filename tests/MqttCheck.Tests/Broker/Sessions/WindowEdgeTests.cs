using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Tests.Broker.Sessions;

/// <summary>The window where nothing is open, and what only wrong or unusual cores do with it.</summary>
public sealed class WindowEdgeTests
{
    [Test]
    public void Identifiers_that_are_not_open_are_refused([Values] bool isScattered)
    {
        var window = new InFlightWindow<Delivery>(isScattered);
        ushort[] unknown = [0, 1, 2, 9, 128, 256, 65_535];
        AssertRefused(window, unknown);
        var id = Add(window, "x", QualityOfService.ExactlyOnce);
        AssertRefused(window, [.. unknown.Where(other => other != id)]);
        Assert.That((window.Count, window.OpenHere, window.HasUnsent), Is.EqualTo((1, 1, false)));
    }

    [Test]
    public void Identifiers_that_are_scattered_are_all_different_and_none_is_0()
    {
        var window = new InFlightWindow<Delivery>(scattersIdentifiers: true);
        var ids = Enumerable.Range(0, ushort.MaxValue).Select(i => Add(window, "x")).ToHashSet();
        Assert.That((ids.Count, ids.Contains(0)), Is.EqualTo((65_535, false)));
        Assert.That(ids.Count(id => window.Finish(id, QualityOfService.AtLeastOnce)), Is.EqualTo(65_535));
        Assert.That((window.Count, window.OpenHere), Is.EqualTo((0, 0)));
    }

    // Identifiers that became free are used again in that order, after those never used.
    [Test]
    public void Free_identifiers_are_used_in_the_order_they_became_free()
    {
        var window = new InFlightWindow<Delivery>();
        for (var i = 1; i <= 8; i++)
            Assert.That(Add(window, "x"), Is.EqualTo(i));
        window.Finish(5, QualityOfService.AtLeastOnce);
        window.Finish(2, QualityOfService.AtLeastOnce);
        Assert.That(new[] { Add(window, "x"), Add(window, "x"), Add(window, "x") }, Is.EqualTo(new[] { 5, 2, 9 }));
    }

    [Test]
    public void Nothing_is_sent_again_where_nothing_is_open()
    {
        var window = new InFlightWindow<Delivery>();
        window.Rewind();
        Assert.That(window.TryResend(out var id, out var delivery), Is.False);
        Assert.That((id, delivery.Message, window.HasUnsent), Is.EqualTo(((ushort)0, default(Message), false)));
    }

    [Test]
    public void Forgetting_all_makes_all_identifiers_free([Values] bool publishedOnly)
    {
        var window = Filled(out var released);
        window.Rewind();
        if (publishedOnly)
            window.ForgetPublished();
        else
            window.Clear();
        Assert.That((window.Count, window.OpenHere, window.HasUnsent), Is.EqualTo((publishedOnly ? 1 : 0, 0, false)));
        Assert.That(window.Released(), Is.EqualTo(publishedOnly ? new[] { released } : []));
        Assert.That(Add(window, "new"), Is.GreaterThan(0));
    }

    [Test]
    public void A_window_that_is_reversed_is_sent_again_from_its_end_and_works_on()
    {
        var window = Filled(out _);
        window.Rewind();
        window.Reverse();
        var sent = new List<string>();
        while (window.TryResend(out var id, out var delivery))
        {
            sent.Add(delivery.Message.Publisher);
            if (sent.Count == 2)
                window.Finish(id, QualityOfService.AtLeastOnce);
        }
        Assert.That(sent, Is.EqualTo(["d", "c", "a"]));
        Assert.That((window.Count, window.OpenHere), Is.EqualTo((3, 2)));
    }

    [Test]
    public void The_quota_of_a_released_message_is_freed_once()
    {
        var window = Filled(out var released);
        Assert.That(window.OpenHere, Is.EqualTo(4));
        window.FreeQuota(released);
        window.FreeQuota(released);
        Assert.That(window.OpenHere, Is.EqualTo(3));
        Assert.That((window.Complete(released), window.Count, window.OpenHere), Is.EqualTo((true, 3, 3)));
    }

    // Messages a, c and d are published, and b is released.
    private static InFlightWindow<Delivery> Filled(out ushort released)
    {
        var window = new InFlightWindow<Delivery>();
        Add(window, "a");
        released = Add(window, "b", QualityOfService.ExactlyOnce);
        Add(window, "c");
        Add(window, "d");
        Assert.That(window.Release(released), Is.True);
        return window;
    }

    private static void AssertRefused(InFlightWindow<Delivery> window, ushort[] identifiers)
    {
        foreach (var id in identifiers)
            Assert.That(
                (
                    window.Finish(id, QualityOfService.AtLeastOnce),
                    window.Finish(id, QualityOfService.ExactlyOnce),
                    window.Release(id),
                    window.Complete(id)
                ),
                Is.EqualTo((false, false, false, false)),
                $"{id}"
            );
    }

    private static ushort Add(
        InFlightWindow<Delivery> window,
        string text,
        QualityOfService qos = QualityOfService.AtLeastOnce
    ) =>
        window.Add(
            new Delivery(new Message("t"u8, default, default, qos, false, long.MaxValue, text), qos, false, null)
        );
}
