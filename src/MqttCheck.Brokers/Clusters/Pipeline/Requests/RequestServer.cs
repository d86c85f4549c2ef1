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
internal abstract class RequestServer(IPEndPoint address) : IServedNode
{
    private readonly WireRunner _thread = new("node");
    private readonly List<(RequestSource To, byte[] Content)> _answers = [];
    private bool _isFinishing;

    /// <inheritdoc/>
    public IPEndPoint Address { get; private set; } = address;

    /// <inheritdoc/>
    public Task Completion => _thread.Completion;

    /// <inheritdoc/>
    public string? Failure => _thread.Failure;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _thread.DisposeAsync();
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
        _thread.Wire.Post(FinishAndAnswer);
    }

    /// <summary>Begins to serve; the last step of a constructor.</summary>
    protected void Begin()
    {
        Address = _thread.Wire.Listen(Address, () => new RequestSource(this));
        _thread.Start();
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
    /// <param name="content">The number of the request, and what belongs to it.</param>
    protected void Answer(RequestSource to, byte[] content) => _answers.Add((to, content));

    private void FinishAndAnswer()
    {
        _isFinishing = false;
        Finish();
        foreach (var (to, content) in _answers)
            to.Answer(content);
        _answers.Clear();
    }
}
