using System.Buffers.Binary;
using System.Net;
using MqttCheck.Brokers.Clusters.Nodes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Clusters.Pipeline.Requests;

/// <summary>
/// Serves requests of brokers: one thread applies all that have come, writes its file once, and then answers them. So
/// an answer means that the file has it, whatever becomes of the process.
/// </summary>
/// <remarks>A request is its number (8 bytes) and its content; an answer that number and what belongs to it.</remarks>
/// <param name="address">Where it will listen; port 0 for a free one.</param>
internal abstract class RequestServer(IPEndPoint address) : ServedNode(new WireRunner("node"))
{
    private readonly List<(RequestSource To, long Number, byte[] Content)> _answers = [];
    private bool _isFinishing;

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await Runner.DisposeAsync();
        CloseFile();
    }

    /// <summary>A request has come.</summary>
    /// <param name="from">Who asks.</param>
    /// <param name="content">Its number, and its content.</param>
    public void Take(RequestSource from, ReadOnlySpan<byte> content)
    {
        Apply(from, BinaryPrimitives.ReadInt64BigEndian(content), content[sizeof(long)..]);
        if (_isFinishing)
            return;
        // The wire does so when it has read what has come over every connection.
        _isFinishing = true;
        Runner.Wire.Post(FinishAndAnswer);
    }

    /// <summary>Begins to serve; the last step of a constructor.</summary>
    protected void Begin()
    {
        Address = Runner.Wire.Listen(address, () => new RequestSource(this));
        Runner.Start();
    }

    /// <summary>Does what a request asks for.</summary>
    /// <param name="from">Who asks.</param>
    /// <param name="number">The number of the request.</param>
    /// <param name="content">Its content.</param>
    protected abstract void Apply(RequestSource from, long number, ReadOnlySpan<byte> content);

    /// <summary>Everything that has come is applied: answers what waited for it, and writes the file.</summary>
    protected abstract void Finish();

    /// <summary>Ends the use of the file.</summary>
    protected abstract void CloseFile();

    /// <summary>Answers, when the file is written.</summary>
    /// <param name="to">Who has asked.</param>
    /// <param name="number">The number of the request.</param>
    /// <param name="content">What belongs to the answer.</param>
    protected void Answer(RequestSource to, long number, byte[] content) => _answers.Add((to, number, content));

    private void FinishAndAnswer()
    {
        _isFinishing = false;
        Finish();
        foreach (var (to, number, content) in _answers)
            to.Answer(number, content);
        _answers.Clear();
    }
}
