using System.Threading.Channels;
using Npgsql;

namespace MqttCheck.Pipeline.Stores.Postgres;

/// <summary>A connection to PostgreSQL whose requests that wait become one transaction.</summary>
internal sealed class PostgresWriter : IAsyncDisposable
{
    private readonly Channel<IRequest> _waiting = Channel.CreateUnbounded<IRequest>();
    private readonly NpgsqlConnection _connection;
    private readonly int _batch;
    private readonly Task _loop;

    /// <summary>Begins to work.</summary>
    /// <param name="connection">The connection, open.</param>
    /// <param name="batch">The most requests of a transaction.</param>
    public PostgresWriter(NpgsqlConnection connection, int batch)
    {
        (_connection, _batch) = (connection, batch);
        _loop = Task.Run(LoopAsync);
    }

    private interface IRequest
    {
        NpgsqlBatchCommand Command { get; }

        // Done only when all of the transaction is.
        void Take(IReadOnlyList<object[]> rows);

        void Complete();

        void Fail(Exception failure);
    }

    /// <summary>Asks, and waits for the commit.</summary>
    /// <param name="statement">One statement with places for parameters.</param>
    /// <param name="parameters">The parameters.</param>
    /// <param name="read">Turns the rows of the answer into a result.</param>
    public Task<T> AskAsync<T>(string statement, object[] parameters, Func<IReadOnlyList<object[]>, T> read)
    {
        var command = new NpgsqlBatchCommand(statement);
        foreach (var value in parameters)
            command.Parameters.Add(new NpgsqlParameter { Value = value });
        var request = new Request<T>(command, read);
        return _waiting.Writer.TryWrite(request)
            ? request.Answer.Task
            : throw new ObjectDisposedException(nameof(PostgresWriter));
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.Complete();
        await _loop;
        await _connection.DisposeAsync();
    }

    private async Task LoopAsync()
    {
        var requests = new List<IRequest>();
        while (await _waiting.Reader.WaitToReadAsync())
        {
            requests.Clear();
            while (requests.Count < _batch && _waiting.Reader.TryRead(out var next))
                requests.Add(next);
            try
            {
                await CommitAsync(requests);
                requests.ForEach(request => request.Complete());
            }
            catch (NpgsqlException failure)
            {
                requests.ForEach(request => request.Fail(failure));
            }
        }
    }

    // The statements of a batch are one transaction.
    private async Task CommitAsync(List<IRequest> requests)
    {
        await using var batch = new NpgsqlBatch(_connection);
        requests.ForEach(request => batch.BatchCommands.Add(request.Command));
        await using var reader = await batch.ExecuteReaderAsync();
        foreach (var request in requests)
        {
            var rows = new List<object[]>();
            // A statement without an answer has no result of its own in the reader.
            if (HasRows(request.Command))
            {
                while (await reader.ReadAsync())
                {
                    var row = new object[reader.FieldCount];
                    reader.GetValues(row);
                    rows.Add(row);
                }
                await reader.NextResultAsync();
            }
            request.Take(rows);
        }
    }

    private static bool HasRows(NpgsqlBatchCommand command) =>
        command.CommandText.StartsWith("SELECT", StringComparison.Ordinal)
        || command.CommandText.Contains("RETURNING", StringComparison.Ordinal);

    private sealed class Request<T>(NpgsqlBatchCommand command, Func<IReadOnlyList<object[]>, T> read) : IRequest
    {
        private T? _result;

        public NpgsqlBatchCommand Command => command;

        public TaskCompletionSource<T> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Take(IReadOnlyList<object[]> rows) => _result = read(rows);

        public void Complete() => Answer.TrySetResult(_result!);

        public void Fail(Exception failure) => Answer.TrySetException(failure);
    }
}
