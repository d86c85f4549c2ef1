using System.Globalization;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>A capture that is made while it is read: a dashboard and a sensor that go on for long.</summary>
/// <param name="publications">How often the sensor publishes.</param>
internal sealed class EndlessCapture(int publications) : Stream
{
    private readonly IEnumerator<byte[]> _parts = Parts(publications).GetEnumerator();
    private byte[] _part = [];
    private int _at;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        while (_at == _part.Length)
        {
            if (!_parts.MoveNext())
                return 0;
            (_part, _at) = (_parts.Current, 0);
        }
        var taken = Math.Min(count, _part.Length - _at);
        _part.AsSpan(_at, taken).CopyTo(buffer.AsSpan(offset));
        _at += taken;
        return taken;
    }

    public override void Flush() { }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private static IEnumerable<byte[]> Parts(int publications)
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        yield return traffic.Pcap();
        var dashboard = traffic.Connection(50_001).Open();
        dashboard.Send(true, talk.Connect("dashboard")).Send(false, talk.Connack());
        dashboard.Send(true, talk.Subscribe(1, "plant/#")).Send(false, talk.Suback(1));
        var sensor = traffic.Connection(50_002).Open();
        sensor.Send(true, talk.Connect("sensor")).Send(false, talk.Connack());
        for (var i = 0; i < publications; i++)
        {
            var (id, payload) = (1 + i % 60_000, i.ToString(CultureInfo.InvariantCulture));
            sensor.Send(true, talk.Publish("plant/7/temp", payload, 1, id)).Send(false, talk.Puback(id));
            // One in a hundred deliveries is not in the capture.
            if (i % 100 == 50)
                yield return traffic.TakeRecords();
            dashboard.Send(false, talk.Publish("plant/7/temp", payload, 1, id));
            if (i % 100 == 50)
                traffic.Packets.Clear();
            dashboard.Send(true, talk.Puback(id));
            yield return traffic.TakeRecords();
        }
    }
}
