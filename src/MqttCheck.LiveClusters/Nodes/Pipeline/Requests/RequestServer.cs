using System.Buffers.Binary;
using System.Net;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

/// <summary>
/// Serves requests of brokers. One thread applies all requests that have come, writes its file once, and then answers
/// them. Every answered request is therefore in the file, even if the process ends.
/// </summary>
/// <remarks>
/// A request has its number (8 bytes) and its content. The answer has the same number and its own content.
/// </remarks>
/// <param name="address">The address to listen on; port 0 for a free one.</param>
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
        // The wire calls this after it has read all connections.
        _isFinishing = true;
        Runner.Wire.Post(FinishAndAnswer);
    }

    /// <summary>Begins to serve; the last step of a constructor.</summary>
    protected void Begin()
    {
        Address = Runner.Wire.Listen(address, () => new RequestSource(this));
        Runner.Start();
    }

    /// <summary>Carries out a request.</summary>
    /// <param name="from">Who asks.</param>
    /// <param name="number">The number of the request.</param>
    /// <param name="content">Its content.</param>
    protected abstract void Apply(RequestSource from, long number, ReadOnlySpan<byte> content);

    /// <summary>
    /// Called when all received requests are applied: answers those that waited for others, and writes the file.
    /// </summary>
    protected abstract void Finish();

    /// <summary>Closes the file.</summary>
    protected abstract void CloseFile();

    /// <summary>Queues an answer, which is sent when the file is written.</summary>
    /// <param name="to">Who has asked.</param>
    /// <param name="number">The number of the request.</param>
    /// <param name="content">The content of the answer.</param>
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
