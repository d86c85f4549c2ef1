using System.Globalization;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>A capture that is made while it is read: sensors in halls, each with a dashboard, for long.</summary>
/// <param name="publications">How often the sensors publish together.</param>
/// <param name="halls">How many halls there are.</param>
/// <param name="sensors">How many sensors are in each.</param>
/// <param name="largest">The largest payload, if not all have but their number.</param>
internal sealed class EndlessCapture(int publications, int halls = 1, int sensors = 1, int largest = 0) : Stream
{
    private readonly IEnumerator<byte[]> _parts = Parts(publications, halls, sensors, largest).GetEnumerator();
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

    private static IEnumerable<byte[]> Parts(int publications, int halls, int sensors, int largest)
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        yield return traffic.Pcap();
        var dashboards = Clients("dashboard", halls, 50_001);
        for (var hall = 0; hall < halls; hall++)
            dashboards[hall].Send(true, talk.Subscribe(1, $"hall{hall}/#")).Send(false, talk.Suback(1));
        var publishers = Clients("sensor", halls * sensors, 51_001);
        for (var i = 0; i < publications; i++)
        {
            var (number, id) = (i % publishers.Length, 1 + i / publishers.Length % 60_000);
            var (dashboard, topic) = (dashboards[number % halls], $"hall{number % halls}/{number}/temp");
            var payload = i.ToString(CultureInfo.InvariantCulture);
            payload = payload.PadLeft(largest == 0 ? 0 : 8 + i * 7 % (largest - 7), '.');
            publishers[number].Send(true, talk.Publish(topic, payload, 1, id)).Send(false, talk.Puback(id));
            // One in a hundred deliveries is not in the capture.
            if (i % 100 == 50)
                yield return traffic.TakeRecords();
            dashboard.Send(false, talk.Publish(topic, payload, 1, id));
            if (i % 100 == 50)
                traffic.Packets.Clear();
            dashboard.Send(true, talk.Puback(id));
            yield return traffic.TakeRecords();
        }

        TalkConnection[] Clients(string name, int count, int port) =>
            [
                .. Enumerable
                    .Range(0, count)
                    .Select(i =>
                        traffic
                            .Connection(port + i)
                            .Open()
                            .Send(true, talk.Connect($"{name}-{i}"))
                            .Send(false, talk.Connack())
                    ),
            ];
    }
}
